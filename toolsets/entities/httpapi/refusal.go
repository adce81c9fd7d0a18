package httpapi

import (
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"

	"instruction-catalog/toolsets/entities"
)

// envelope is what the backend sends with an error.
type envelope struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// refusal says what an answer means that is not 200. The status decides. What
// the body says beside it counts in two places only: a 404 without the
// backend's envelope comes from something that stands before it, and that a
// project does not exist is told with status 400.
func refusal(status int, body io.Reader, project entities.ID) error {
	switch status {
	case http.StatusUnauthorized:
		return entities.ErrUnauthorized
	case http.StatusForbidden:
		return entities.ErrForbidden
	}
	text, err := io.ReadAll(body)
	if err != nil { // such as the end of the call's time
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
