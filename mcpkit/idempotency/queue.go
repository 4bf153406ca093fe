package idempotency

import "time"

// A queue is a binary heap of entries by end; the first is due first. Each
// entry knows its slot. (container/heap costs several times as much.)
type queue []queued

// queued has a copy of the entry's end, so that to compare is not to follow.
type queued struct {
	end   time.Duration
	entry *entry
}

// due reports whether the end of the first entry has come.
func (q queue) due(now time.Duration) bool { return len(q) > 0 && now >= q[0].end }

func (q *queue) push(e *entry) {
	*q = append(*q, queued{})
	q.up(len(*q)-1, queued{e.end, e})
}

// fix moves the entry at slot i, whose end has changed.
func (q queue) fix(i int) {
	x := queued{q[i].entry.end, q[i].entry}
	if i > 0 && x.end < q[(i-1)/2].end {
		q.up(i, x)
		return
	}
	q.down(i, x)
}

// remove takes out the entry at slot i.
func (q *queue) remove(i int) *entry {
	e := (*q)[i].entry
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = queued{}
	*q = (*q)[:last]
	if i < last {
		q.put(i, x)
		q.fix(i)
	}
	return e
}

// up places x at slot i, which is free, or above it.
func (q queue) up(i int, x queued) {
	for i > 0 {
		parent := (i - 1) / 2
		if q[parent].end <= x.end {
			break
		}
		q.put(i, q[parent])
		i = parent
	}
	q.put(i, x)
}

// down places x at slot i, which is free, or below it.
func (q queue) down(i int, x queued) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if next := child + 1; next < len(q) && q[next].end < q[child].end {
			child = next
		}
		if x.end <= q[child].end {
			break
		}
		q.put(i, q[child])
		i = child
	}
	q.put(i, x)
}

func (q queue) put(i int, x queued) {
	q[i] = x
	x.entry.slot = i
}
