package versioning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const lifecycleSuffix = "/lifecycle"

func lifecycleKeys(members map[string]any) []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(asObject(members["_meta"]))) {
		if strings.HasSuffix(key, lifecycleSuffix) {
			keys = append(keys, key)
		}
	}
	return keys
}

// lifecycleKey is where the marker stands, preferably in the new record.
func lifecycleKey(old, new map[string]any) string {
	if keys := slices.Concat(lifecycleKeys(new), lifecycleKeys(old)); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// lifecycleOf reads the marker of a record strictly.
func lifecycleOf(members map[string]any) (Lifecycle, error) {
	keys := lifecycleKeys(members)
	if len(keys) == 0 {
		return Lifecycle{}, nil
	}
	if len(keys) > 1 {
		return Lifecycle{}, errors.New("_meta: has two lifecycle markers")
	}
	const form = "_meta: lifecycle: must be an object of stability and deprecation alone, " +
		"and deprecation one of since, removal_at_or_after, replaced_by and migration"
	marker, ok := asObject(members["_meta"])[keys[0]].(map[string]any)
	if !ok {
		return Lifecycle{}, errors.New(form)
	}
	if deprecation, ok := marker["deprecation"]; ok {
		if fields, ok := deprecation.(map[string]any); !ok || len(fields) != 4 {
			return Lifecycle{}, errors.New(form)
		} else if _, ok := fields["replaced_by"]; !ok {
			return Lifecycle{}, errors.New(form)
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(rawJSON(marker)))
	decoder.DisallowUnknownFields()
	var l Lifecycle
	if err := decoder.Decode(&l); err != nil {
		return Lifecycle{}, errors.New(form)
	}
	if err := l.Validate(); err != nil {
		return Lifecycle{}, fmt.Errorf("_meta: lifecycle: %w", err)
	}
	return l, nil
}

// farewell is the reason for the removal of what l marks.
func (l Lifecycle) farewell(one string) string {
	if l.Deprecation == nil {
		return "the " + one + " vanished without a deprecation marker before"
	}
	return fmt.Sprintf("the %s was removed, as announced since %s for %s or after",
		one, l.Deprecation.Since, l.Deprecation.RemovalAtOrAfter)
}

// rank orders the tiers by what they promise; no marker counts as stable.
func (s Stability) rank() int {
	switch s {
	case Preview:
		return 1
	case Experimental:
		return 0
	}
	return 2
}

func (d *differ) lifecycle(path string, a, b Lifecycle) {
	if a.Stability != b.Stability {
		path := at(path, "stability")
		before, after := text(string(a.Stability)), text(string(b.Stability))
		switch from, to := a.Stability.rank(), b.Stability.rank(); {
		case to < from:
			d.add(path, Breaking, before, after, "the stability was lowered")
		case to > from:
			d.add(path, Additive, before, after, "the stability was raised")
		default:
			d.add(path, Documentation, before, after, "the stability is spelled out differently")
		}
	}
	path = at(path, "deprecation")
	switch x, y := a.Deprecation, b.Deprecation; {
	case x == nil && y == nil:
	case x == nil:
		d.add(path, Additive, absent{}, y, "deprecated: it works until its removal")
	case y == nil:
		d.add(path, Additive, x, absent{}, "no longer deprecated")
	default:
		d.deprecation(path, *x, *y)
	}
}

func (d *differ) deprecation(path string, a, b Deprecation) {
	if a.RemovalAtOrAfter != b.RemovalAtOrAfter {
		path := at(path, "removal_at_or_after")
		switch order := compareWhen(a.RemovalAtOrAfter, b.RemovalAtOrAfter); {
		case order > 0:
			d.add(path, Breaking, a.RemovalAtOrAfter, b.RemovalAtOrAfter, "the removal was moved earlier; clients planned by the old date")
		case order < 0:
			d.add(path, Additive, a.RemovalAtOrAfter, b.RemovalAtOrAfter, "the removal was moved later")
		default:
			d.add(path, Documentation, a.RemovalAtOrAfter, b.RemovalAtOrAfter, "the time of the removal is spelled differently")
		}
	}
	if a.Since != b.Since {
		d.add(at(path, "since"), Documentation, a.Since, b.Since, "the start of the deprecation changed")
	}
	from, to := any(nil), any(nil)
	if a.ReplacedBy != nil {
		from = *a.ReplacedBy
	}
	if b.ReplacedBy != nil {
		to = *b.ReplacedBy
	}
	if from != to {
		d.add(at(path, "replaced_by"), Documentation, from, to, "the replacement changed")
	}
	if a.Migration != b.Migration {
		d.add(at(path, "migration"), Documentation, a.Migration, b.Migration, "the advice for migration changed")
	}
}

// compareWhen compares two valid times; by their days if one of them has no
// time of day.
func compareWhen(a, b string) int {
	x, xDay, _ := parseWhen(a)
	y, yDay, _ := parseWhen(b)
	if xDay || yDay {
		x, y = day(x), day(y)
	}
	return x.Compare(y)
}
