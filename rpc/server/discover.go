package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

// openRPC is the version of the OpenRPC specification that [document] follows.
const openRPC = "1.2.6"

// document is an OpenRPC document (spec.open-rpc.org).
type document struct {
	OpenRPC    string       `json:"openrpc"`
	Info       documentInfo `json:"info"`
	Methods    []any        `json:"methods"`
	Components components   `json:"components"`
}

type documentInfo struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
}

type components struct {
	Schemas map[string]any `json:"schemas"`
}

type methodObject struct {
	Name           string        `json:"name"`
	Summary        string        `json:"summary"`
	Description    string        `json:"description"`
	ParamStructure string        `json:"paramStructure"`
	Deprecated     bool          `json:"deprecated,omitempty"`
	Params         []descriptor  `json:"params"`
	Result         descriptor    `json:"result"`
	Examples       []examplePair `json:"examples,omitempty"`
	Since          string        `json:"x-since"`
	Stability      rpc.Stability `json:"x-stability"`
	Effect         string        `json:"x-effect"`
}

type descriptor struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
	Schema      any    `json:"schema"`
}

type examplePair struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Params      []exampleValue `json:"params"`
	Result      exampleValue   `json:"result"`
}

type exampleValue struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

func (m *methods) discover() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "rpc.discover",
		Title:   "Describe every method",
		Summary: "The OpenRPC document of all methods.",
		Doc: "Describes every method of this server in the form of the OpenRPC specification, version " + openRPC +
			": params, result and examples, with `x-since`, `x-stability` and `x-effect` (reads, counts, creates, updates, deletes).",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(context.Context, struct{}) (document, error) {
		return openRPCDocument(m.registry, m.config.Contract.Version)
	}, nil)
}

func openRPCDocument(registry *rpc.Registry, version string) (document, error) {
	doc := document{
		OpenRPC: openRPC,
		Info: documentInfo{
			Title:       "Instruction catalog",
			Description: "Serves a governed catalog of instructions for coding agents.",
			Version:     version,
		},
		Methods:    []any{},
		Components: components{Schemas: map[string]any{}},
	}
	for _, m := range registry.Methods() {
		object, err := describe(m, doc.Components.Schemas)
		if err != nil {
			return document{}, fmt.Errorf("describe %s: %w", m.Name, err)
		}
		doc.Methods = append(doc.Methods, object)
	}
	return doc, nil
}

// describe returns the method object of m. It adds to shared, the components of the
// document, the definitions that the method's schemas reference.
func describe(m *rpc.Method, shared map[string]any) (methodObject, error) {
	params, err := component(m.Schema().Params, shared)
	if err != nil {
		return methodObject{}, err
	}
	hideUser(params, m.UserParam)
	result, err := component(m.Schema().Result, shared)
	if err != nil {
		return methodObject{}, err
	}
	examples, err := pairings(m)
	if err != nil {
		return methodObject{}, err
	}
	return methodObject{
		Name: m.Name, Summary: m.Summary, Description: m.Doc, ParamStructure: "by-name",
		Deprecated: m.Stability == rpc.Deprecated,
		Params:     descriptors(params),
		Result:     descriptor{Name: "result", Schema: result},
		Examples:   examples,
		Since:      m.Since, Stability: m.Stability, Effect: m.Effect.String(),
	}, nil
}

// schemaNode is a JSON Schema in decoded form.
type schemaNode = map[string]any

func node(v any) schemaNode {
	n, _ := v.(map[string]any)
	return n
}

// component returns the schema with its references changed to point into the document's
// components. It adds the referenced definitions to shared.
func component(s *schemas.Schema, shared map[string]any) (schemaNode, error) {
	moved := strings.ReplaceAll(string(s.Bundled()), `"#/definitions/`, `"#/components/schemas/`)
	var tree schemaNode
	if err := json.Unmarshal([]byte(moved), &tree); err != nil {
		return nil, err
	}
	maps.Copy(shared, node(tree["definitions"]))
	delete(tree, "definitions")
	delete(tree, "$schema")
	delete(tree, "$id")
	return tree, nil
}

// hideUser removes the param that the registry fills with the caller's user.
func hideUser(params schemaNode, userParam string) {
	delete(node(params["properties"]), userParam)
	if required, ok := params["required"].([]any); ok {
		params["required"] = slices.DeleteFunc(required, func(name any) bool { return name == userParam })
	}
}

// descriptors converts the properties of a params object to OpenRPC content descriptors,
// the required ones first.
func descriptors(params schemaNode) []descriptor {
	required, _ := params["required"].([]any)
	properties := node(params["properties"])
	var first, rest []descriptor
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := node(properties[name])
		description, _ := property["description"].(string)
		d := descriptor{Name: name, Description: description, Schema: property}
		if d.Required = slices.Contains(required, any(name)); d.Required {
			first = append(first, d)
			continue
		}
		rest = append(rest, d)
	}
	return append(append([]descriptor{}, first...), rest...)
}

func pairings(m *rpc.Method) ([]examplePair, error) {
	var out []examplePair
	for _, e := range m.Schema().Examples() {
		var params map[string]json.RawMessage
		if err := json.Unmarshal(e.Params, &params); err != nil {
			return nil, err
		}
		delete(params, m.UserParam)
		pair := examplePair{Name: e.Name, Description: e.Description, Params: []exampleValue{},
			Result: exampleValue{Name: "result", Value: e.Result}}
		for _, name := range slices.Sorted(maps.Keys(params)) {
			pair.Params = append(pair.Params, exampleValue{Name: name, Value: params[name]})
		}
		out = append(out, pair)
	}
	return out, nil
}
