package main

import (
	"encoding/json"

	"github.com/tiktoken-go/tokenizer"
)

// listing is what tools/list costs a client that keeps all of it.
type listing struct {
	Bytes  int `json:"bytes"`        // of the results, as sent
	Tokens int `json:"o200k_tokens"` // of the same text
}

func measure(results []json.RawMessage) (listing, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return listing{}, err
	}
	var size listing
	for _, r := range results {
		n, err := codec.Count(string(r))
		if err != nil {
			return listing{}, err
		}
		size.Bytes += len(r)
		size.Tokens += n
	}
	return size, nil
}
