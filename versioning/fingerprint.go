package versioning

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Part is one area of a server's surface, for a fingerprint.
type Part struct {
	// Covers names the area: "tools", "error_codes", "summary". Each name can
	// stand once.
	Covers string
	// JSON is all that clients see of it, as one JSON text.
	JSON []byte
}

// Covers returns the names of the parts, sorted and each once: the list that is
// published beside a fingerprint. It is never nil.
func Covers(parts ...Part) []string {
	names := make([]string, 0, len(parts))
	for _, p := range parts {
		names = append(names, p.Covers)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// NewFingerprint returns the fingerprint of a server's surface, such as
// "acme-wiki@1.0.0+3fb91c2": the server's name, its semantic version and the
// first 7 hexadecimal digits of a SHA-256 over the parts. Clients that keep a
// copy of the surface compare it for equality.
//
// The hash does not depend on the order of the parts or on how their JSON is
// spelled, nor on the order of lists that JSON Schema 2020-12 reads as sets:
// required, enum, a list-valued type and the lists inside dependentRequired.
// Every other order counts, and so does every word of a description. The values
// of default, const and examples, and the elements of enum, are data and
// compared as they stand.
//
// The error joins all faults: a name that is empty or holds anything but ASCII
// letters, digits and ._-/ ; a version that is not SemVer 2.0.0 (build metadata
// is refused, for + starts the hash); no part; a part without a name, or with
// that of another, or whose JSON [Canonical] refuses.
func NewFingerprint(name, semver string, parts ...Part) (string, error) {
	sum, err := hashParts(parts, false)
	if !semverPattern.MatchString(semver) {
		err = errors.Join(errors.New("versioning: version: must be a semantic version without build metadata, such as 1.0.0"), err)
	}
	if !namePattern.MatchString(name) {
		err = errors.Join(errors.New("versioning: name: must be of ASCII letters, digits and ._-/"), err)
	}
	if err != nil {
		return "", err
	}
	return name + "@" + semver + "+" + sum, nil
}

// ShapeHash returns 7 hexadecimal digits over what is left of the parts without
// their documentation: the members title, description, examples, $comment and
// icons. It is a diagnostic, never to be published in place of a fingerprint:
// if a fingerprint's hash changed and this one did not, only words changed. It
// fails as [NewFingerprint] does.
func ShapeHash(parts ...Part) (string, error) { return hashParts(parts, true) }

var (
	namePattern   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)
	semverPattern = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
		`(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$`)
)

// fingerprintDomain keeps fingerprints apart from version tokens, and a later
// way to hash apart from this one.
const fingerprintDomain = "agentmcp surface v1"

func hashParts(parts []Part, shape bool) (string, error) {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(a, b Part) int { return strings.Compare(a.Covers, b.Covers) })
	var faults []error
	if len(parts) == 0 {
		faults = append(faults, errors.New("versioning: fingerprint: covers nothing"))
	}
	hash := sha256.New()
	hash.Write(strconv.AppendQuote(nil, fingerprintDomain))
	for i, p := range sorted {
		switch {
		case p.Covers == "":
			faults = append(faults, errors.New("versioning: part: has no name"))
		case i > 0 && sorted[i-1].Covers == p.Covers:
			faults = append(faults, fmt.Errorf("versioning: part %q: is there twice", p.Covers))
		}
		canonical, err := surfaceForm(p.JSON, shape)
		if err != nil {
			faults = append(faults, fmt.Errorf("versioning: part %q: %w", p.Covers, err))
			continue
		}
		// Length before content keeps neighbours from being shifted into each other.
		for _, b := range [][]byte{[]byte(p.Covers), canonical} {
			hash.Write(strconv.AppendInt(nil, int64(len(b)), 10))
			hash.Write([]byte{':'})
			hash.Write(b)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil))[:7], nil
}
