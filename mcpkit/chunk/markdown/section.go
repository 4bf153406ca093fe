package markdown

import "github.com/mcpkit-go/agentmcp/mcpkit/chunk"

// A splitter cuts the blocks of a document.
type splitter struct {
	*document
	target, max int
}

func sections(d *document, limits chunk.Limits) []piece {
	if len(d.blocks) == 0 {
		return nil
	}
	s := splitter{d, limits.Target, limits.Max}
	return s.section(d.blocks)
}

// section cuts a section, whose own heading, if it has one, is the first block. It
// nests as deep as headings do, since each step down leaves a level behind.
func (s splitter) section(blocks []block) []piece {
	whole := piece{start: blocks[0].start, end: blocks[len(blocks)-1].end, thin: true}
	top := 0 // highest level below the section's own heading
	for i, b := range blocks {
		whole.thin = whole.thin && b.thin
		if i > 0 && b.level > 0 && (top == 0 || b.level < top) {
			top = b.level
		}
	}
	switch {
	case whole.size() <= s.target, top == 0 && whole.size() <= s.max:
		return []piece{whole}
	case top == 0:
		return s.fill(blocks)
	}
	var pieces []piece
	from := 0
	joinable := false // whether the last piece is whole sections of this level
	for i := 1; i <= len(blocks); i++ {
		if i < len(blocks) && blocks[i].level != top {
			continue
		}
		next := s.section(blocks[from:i])
		from = i
		if n := len(pieces) - 1; n >= 0 {
			last, limit := &pieces[n], s.target
			heads := last.thin && !next[0].thin // last is the head of next
			if heads {
				limit = s.max
			}
			if joinable && (len(next) == 1 || heads) && last.size()+next[0].size() <= limit && next[0].continuation == "" {
				last.end = next[0].end
				last.oversize = next[0].oversize
				last.thin = last.thin && next[0].thin
				joinable = len(next) == 1
				pieces = append(pieces, next[1:]...)
				continue
			}
		}
		pieces = append(pieces, next...)
		joinable = len(next) == 1
	}
	return pieces
}
