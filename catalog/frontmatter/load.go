package frontmatter

import (
	"bytes"
	"io"

	"go.yaml.in/yaml/v4"
)

// MaxSize is the size in bytes up to which front matter is read. A library needs a
// thousand times as long for it as for the text below, and for some more than in
// proportion.
const MaxSize = 64 << 10

// Load returns the top node of each YAML document in a text. There is none where
// there are only blanks and comments. Nodes have no comments.
func Load(text []byte) ([]*yaml.Node, error) {
	switch root, ok := readPlain(string(text)); {
	case !ok:
		return parse(text)
	case root == nil:
		return nil, nil
	default:
		return []*yaml.Node{root}, nil
	}
}

// parse is [Load] by the library alone.
func parse(text []byte) ([]*yaml.Node, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var documents []*yaml.Node
	for {
		var document yaml.Node
		switch err := loader.Load(&document); err {
		case nil:
			documents = append(documents, document.Content[0])
		case io.EOF:
			return documents, nil
		default:
			return nil, err
		}
	}
}
