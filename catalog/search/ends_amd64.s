#include "textflag.h"

// func nextSixteens(firsts, rares, lasts *byte, places int, e *ends) int
//
// X0, X2 and X4 have the first, the rarest and the last byte sixteen times, X1, X3
// and X5 what makes the upper case the same. AX is the place, CX the last from which
// on there are sixteen.
TEXT ·nextSixteens(SB), NOSPLIT, $0-48
	MOVQ       firsts+0(FP), SI
	MOVQ       rares+8(FP), DI
	MOVQ       lasts+16(FP), R8
	MOVQ       places+24(FP), CX
	MOVQ       e+32(FP), DX
	MOVQ       0(DX), X0
	MOVQ       8(DX), X1
	MOVQ       16(DX), X2
	MOVQ       24(DX), X3
	MOVQ       32(DX), X4
	MOVQ       40(DX), X5
	PUNPCKLQDQ X0, X0
	PUNPCKLQDQ X1, X1
	PUNPCKLQDQ X2, X2
	PUNPCKLQDQ X3, X3
	PUNPCKLQDQ X4, X4
	PUNPCKLQDQ X5, X5
	XORQ       AX, AX
	SUBQ       $16, CX

sixteen:
	MOVOU    (SI)(AX*1), X6
	MOVOU    (DI)(AX*1), X7
	MOVOU    (R8)(AX*1), X8
	POR      X1, X6
	POR      X3, X7
	POR      X5, X8
	PCMPEQB  X0, X6
	PCMPEQB  X2, X7
	PCMPEQB  X4, X8
	PAND     X7, X6
	PAND     X8, X6
	PMOVMSKB X6, BX
	TESTL    BX, BX
	JNZ      found
	CMPQ     AX, CX
	JEQ      none
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLE      sixteen
	MOVQ     CX, AX // overlaps places that are not right
	JMP      sixteen

found:
	BSFL BX, BX
	ADDQ BX, AX
	MOVQ AX, ret+40(FP)
	RET

none:
	MOVQ $-1, ret+40(FP)
	RET
