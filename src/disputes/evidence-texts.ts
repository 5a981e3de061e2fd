import Type from 'typebox'
import { type EvidenceText, evidenceTexts } from '../connectors/dispute.ts'

const LONGEST_TEXT = 20_000

/** A text of evidence, as it is sent. */
export const evidenceText = Type.Optional(Type.String({ maxLength: LONGEST_TEXT }))

/** All texts of evidence, by their names. */
export const evidenceTextShapes = Object.fromEntries(evidenceTexts.map(name => [name, evidenceText])) as Record<
  EvidenceText,
  typeof evidenceText
>
