package gosdk

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// CodeNotInitialized is the code of a request of a revision before 2026-07-28
// that comes before initialize.
const CodeNotInitialized envelope.Code = "not_initialized"

// A errorResponse is a JSON-RPC error response.
type errorResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *rpcObject      `json:"error"`
}

type rpcObject struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// mend puts the envelope into message if it is an error response that never
// reached the middleware, and returns any other as it is: results, requests,
// and errors with data.
func (w *Wrapped) mend(message []byte) []byte {
	if !bytes.Contains(message, []byte(`"error"`)) {
		return message
	}
	var response struct {
		errorResponse
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(message, &response) != nil || response.Error == nil || response.Method != "" ||
		response.Result != nil || len(response.Error.Data) > 0 {
		return message
	}
	code, e := early(response.Error)
	return w.answer(response.ID, code, e)
}

// early reads an error that the SDK answered before the middleware. Errors of
// handlers have an envelope already.
func early(e *rpcObject) (int64, *envelope.Error) {
	cause := &jsonrpc.Error{Code: e.Code, Message: e.Message}
	switch {
	case strings.Contains(e.Message, "is invalid during session initialization"):
		return jsonrpc.CodeInvalidRequest, envelope.New(CodeNotInitialized,
			"The session is not initialized; send initialize and notifications/initialized first, or a request of revision 2026-07-28.").NothingApplied().Because(cause)
	case e.Code == 0, e.Code == jsonrpc.CodeInvalidRequest && strings.Contains(e.Message, `missing required "params"`):
		cause.Code = jsonrpc.CodeInvalidParams
	}
	return cause.Code, ofRPC(cause).NothingApplied()
}

// answer is an error response as it goes over the wire, and logs it. id is
// JSON; nil stands for an id that could not be read.
func (w *Wrapped) answer(id json.RawMessage, code int64, e *envelope.Error) []byte {
	s := envelope.Stamp{RequestID: requestid.New(), Fingerprint: w.fingerprint()}
	failure.Log(context.Background(), w.logger, "message refused", s.RequestID, e)
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(errorResponse{JSONRPC: "2.0", ID: id, Error: &rpcObject{
		Code: code, Message: e.Sentence(), Data: e.RPCJSON(s),
	}}); err != nil {
		return nil
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// idOf returns the id of a message if it is one that a response may repeat: a
// number or a string of at most maxID bytes.
func idOf(message []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(message, &m) != nil || len(m.ID) == 0 || len(m.ID) > maxID {
		return nil
	}
	if c := m.ID[0]; c == '"' || c == '-' || '0' <= c && c <= '9' {
		return m.ID
	}
	return nil
}

const maxID = 256

// malformed is the answer to a message that the SDK would not take. ok is false
// if there is nothing wrong with it.
func (w *Wrapped) malformed(message []byte) (answer []byte, bad bool) {
	if !json.Valid(message) {
		return w.answer(nil, jsonrpc.CodeParseError, ofRPC(&jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "malformed JSON"})), true
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		return w.answer(idOf(message), jsonrpc.CodeInvalidRequest,
			ofRPC(&jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()})), true
	}
	return nil, false
}
