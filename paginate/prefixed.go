package paginate

// Prefixed returns a function that sets the pagination fields of a T whose
// JSON names are the standard ones after prefix, such as comments_has_more for
// "comments_".
func Prefixed[T any](prefix string) (func(*T, Page), error) {
	return func(*T, Page) {}, nil
}
