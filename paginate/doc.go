// Package paginate walks lists page by page.
package paginate
