package format

// The ids of the rules for diagnostics about a file and its fields.
const (
	FileEmpty          = "file/empty"
	FileEncoding       = "file/encoding"
	FileInvisible      = "file/invisible"
	FileMore           = "file/more"
	FileNotInstruction = "file/not-instruction"
	FileNotLoaded      = "file/not-loaded"
	FileSyntax         = "file/syntax"
	FileTooLarge       = "file/too-large"

	FieldCoerced  = "field/coerced"
	FieldDefault  = "field/default"
	FieldForeign  = "field/foreign"
	FieldMisspelt = "field/misspelt"
	FieldMissing  = "field/missing"
	FieldTooLong  = "field/too-long"
	FieldTwice    = "field/twice"
	FieldUnknown  = "field/unknown"
	FieldValue    = "field/value"

	IDInvalid = "id/invalid"
)
