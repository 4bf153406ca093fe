package gosdk

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
)

var errNilResult = errors.New("the handler returned neither a result nor an error")

// classify makes an envelope of any error of a handler. Nothing of the error's
// text gets into it, and an effect counts as possible unless the error proves
// otherwise.
func (w *Wrapped) classify(ctx context.Context, err error) *envelope.Error {
	var e *envelope.Error
	if errors.As(err, &e) && e != nil {
		return envelope.From(err)
	}
	e = w.known(ctx, err)
	if e == nil {
		return envelope.From(err) // a bare envelope.Code, or masked
	}
	var safe interface{ SafeToRetry() bool }
	if errors.As(err, &safe) && safe.SafeToRetry() {
		e = e.NothingApplied()
	} else {
		e = e.MaybeApplied()
	}
	return e.Because(err)
}

// known returns nil for an error that says nothing to go by.
func (w *Wrapped) known(ctx context.Context, err error) *envelope.Error {
	for _, row := range w.options.Errors {
		if row.Err == nil || !row.Code.Valid() || !errors.Is(err, row.Err) {
			continue
		}
		message := row.Message
		if message == "" {
			message, _ = envelope.Standard().Meaning(row.Code)
		}
		if message == "" {
			message = "Failed."
		}
		e := envelope.New(row.Code, message)
		if row.Temporary {
			e = failure.Later(e, err)
		}
		return e
	}
	if w.options.Classify != nil {
		if e := w.options.Classify(err); e != nil {
			return e
		}
	}
	var code envelope.Code
	if errors.As(err, &code) && code.Valid() {
		return nil
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return envelope.From(ctx.Err())
	}
	if status, header := httpStatus(err); status != 0 {
		return ofStatus(status, header, err)
	}
	var asURL *url.Error
	var delay interface{ RetryAfter() time.Duration }
	var temporary interface{ Temporary() bool }
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return envelope.NotFound("", "What the call refers to does not exist.")
	case errors.As(err, &asURL):
		return failure.Later(envelope.UpstreamUnavailable(err), err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return envelope.From(err)
	case errors.As(err, &delay):
		return failure.Later(envelope.UpstreamUnavailable(err), err)
	case errors.As(err, &temporary) && temporary.Temporary():
		return failure.Later(envelope.UpstreamUnavailable(err), err)
	}
	return nil
}

// ofStatus reads an upstream's HTTP status as a client of it would: 401 means
// that our credential is refused.
func ofStatus(status int, header http.Header, err error) *envelope.Error {
	later := func(e *envelope.Error) *envelope.Error {
		if d, ok := envelope.ParseRetryAfter(header.Get("Retry-After"), time.Now()); ok {
			return e.RetryAfter(d)
		}
		return failure.Later(e, err)
	}
	switch {
	case status == http.StatusUnauthorized:
		return envelope.InvalidCredential("The upstream service refused the credential.")
	case status == http.StatusTooManyRequests,
		status == http.StatusForbidden && header.Get("Retry-After") != "":
		return later(envelope.New(envelope.CodeRateLimited, "The upstream service limits the rate of calls."))
	case status == http.StatusForbidden:
		return envelope.InsufficientScope("The upstream service does not allow this with the credential in use.")
	case status == http.StatusNotFound, status == http.StatusGone:
		return envelope.NotFound("", "The upstream service does not have what the call refers to.")
	case status == http.StatusConflict, status == http.StatusPreconditionFailed:
		return envelope.New(envelope.CodeConflict, "The upstream service reports a conflict with the current state.")
	case status == http.StatusRequestTimeout, status >= 500:
		return later(envelope.UpstreamUnavailable(err))
	}
	return nil
}

// httpStatus looks through the chain of err for an HTTP status: a method
// StatusCode, HTTPStatusCode or HTTPStatus without parameters that returns an
// int, a field StatusCode or Code (the latter only beside a field Header), or a
// field Response of type *http.Response. It returns 0 for none, and a status
// only from 400 to 599.
func httpStatus(err error) (int, http.Header) {
	if err == nil {
		return 0, nil
	}
	if status, header := ownStatus(err); status >= 400 && status <= 599 {
		return status, header
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		return httpStatus(x.Unwrap())
	case interface{ Unwrap() []error }:
		for _, each := range x.Unwrap() {
			if status, header := httpStatus(each); status != 0 {
				return status, header
			}
		}
	}
	return 0, nil
}

func ownStatus(err error) (status int, header http.Header) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, nil
	}
	switch x := err.(type) {
	case interface{ StatusCode() int }:
		status = x.StatusCode()
	case interface{ HTTPStatusCode() int }:
		status = x.HTTPStatusCode()
	case interface{ HTTPStatus() int }:
		status = x.HTTPStatus()
	}
	v = reflect.Indirect(v)
	if v.Kind() != reflect.Struct {
		return status, nil
	}
	if f, ok := v.Type().FieldByName("Header"); ok && f.IsExported() && len(f.Index) == 1 {
		header, _ = v.FieldByIndex(f.Index).Interface().(http.Header)
	}
	if f, ok := v.Type().FieldByName("Response"); ok && f.IsExported() && len(f.Index) == 1 {
		if response, _ := v.FieldByIndex(f.Index).Interface().(*http.Response); response != nil {
			header = response.Header
			if status == 0 {
				status = response.StatusCode
			}
		}
	}
	for _, name := range []string{"StatusCode", "Code"} {
		f, ok := v.Type().FieldByName(name)
		if status == 0 && ok && f.IsExported() && len(f.Index) == 1 && f.Type.Kind() == reflect.Int && (name == "StatusCode" || header != nil) {
			status = int(v.FieldByIndex(f.Index).Int())
		}
	}
	return status, header
}

func reflectNil(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}
