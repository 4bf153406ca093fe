package failure

import (
	"fmt"
	"runtime/debug"
)

// A Panicked is a recovered panic: the value and the stack are for the log.
type Panicked struct {
	Value any
	Stack string
}

func (p *Panicked) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Panic is the error for what recover returned. Call it in the deferred
// function, so that the stack is that of the panic.
func Panic(value any) error { return &Panicked{Value: value, Stack: string(debug.Stack())} }
