package httpapi

import (
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"

	"instruction-catalog/toolsets/entities"
)

// envelope is the body of an error from the backend.
type envelope struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// refusal converts an answer with a status other than 200 to an error. It decides by
// status, with two exceptions. A 404 without the backend's envelope comes from a proxy
// in front of it. A missing project is reported with status 400 and a known message.
func refusal(status int, body io.Reader, project entities.ID) error {
	switch status {
	case http.StatusUnauthorized:
		return entities.ErrUnauthorized
	case http.StatusForbidden:
		return entities.ErrForbidden
	}
	text, err := io.ReadAll(body)
	if err != nil { // such as when the call's time limit is reached
		return fmt.Errorf("the backend answers with status %d, and the rest of the answer does not come: %w", status, err)
	}
	var e envelope
	known := json.Unmarshal(text, &e) == nil && e.Error.Code != ""
	switch {
	case status == http.StatusNotFound && known:
		return errNotFound
	case status == http.StatusBadRequest && project != "" && e.Error.Message == "Project not found: "+string(project):
		return entities.ErrProjectNotFound
	}
	return fmt.Errorf("the backend answers with status %d, code %.80q", status, e.Error.Code)
}
