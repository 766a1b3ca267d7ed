// Package chat stands between messages and tokens: it lays out a conversation
// by a model's own chat template, joins the bytes of tokens to characters, and
// holds back what may be the start of a stop string.
//
// Content never becomes control text. A template is rendered with a private
// mark in the place of every part of every message, so what it writes depends
// on roles and on the number of parts, never on what somebody typed; the marks
// are then exchanged for pieces that are tokenised apart, with special tokens
// off. What a template does to content (trimming, searching it for words) has
// no effect for the same reason: content is passed on as it was given.
//
// Non-goals: tools, images, tokenising.
package chat

import (
	"errors"

	"fabula/engine"
)

// ErrTemplate: the template cannot lay out the conversation. The wrapped text
// says what it did.
var ErrTemplate = errors.New("chat template unusable")

// Piece is a stretch of a prompt that is tokenised on its own.
type Piece struct {
	Text string
	// Control text comes from the template and may hold special tokens; other
	// pieces are content and must be tokenised with special tokens off.
	Control bool
	// Message and Part say where content came from; both 0 for control text.
	Message, Part int
}

// Note is a plain code for something that a template needed, for whoever asks
// why a model is addressed as it is.
type Note string

// What a template may need before it accepts a conversation.
const (
	SystemFolded     Note = "system_folded"      // no system role: it opens the first user turn
	LateSystemFolded Note = "late_system_folded" // system turns only at the start: later ones became user turns
	TurnsMerged      Note = "turns_merged"       // turns must alternate: neighbours of one role are joined
	UserOpens        Note = "user_opens"         // an empty user turn stands before an opening by the assistant
	TypedContent     Note = "typed_content"      // content is a list of typed entries
	BuiltinForm      Note = "builtin_form"       // the template cannot be used; a form of our own for its family is
	NoTemplate       Note = "no_template"        // the file has none; ChatML is assumed
)

// turn is a message on its way through a template.
type turn struct {
	role    engine.Role
	content string // marks, and line breaks between joined messages
}
