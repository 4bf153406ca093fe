// Package storetest checks that a driver of package idempotency keeps the
// rules of [idempotency.Store].
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) idempotency.Store {
//			return mystore.New(openTestDatabase(t))
//		})
//	}
//
// Each failure quotes the rule that it found broken. Keys are random, so the
// stores of different cases, and of different runs, may share one database.
//
// # Time
//
// Rules about leases, windows and tombstones are checked by letting half a
// second pass, with the cases running in parallel: about three seconds of real
// time in all. A store without input and output, which a bubble of package
// testing/synctest can hold, needs no real time:
//
//	for _, c := range storetest.Cases() {
//		t.Run(c.Name, func(t *testing.T) {
//			synctest.Test(t, func(t *testing.T) { c.Check(t, newStore()) })
//		})
//	}
package storetest
