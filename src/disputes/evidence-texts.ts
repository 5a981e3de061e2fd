import Type from 'typebox'
import { type EvidenceText, evidenceTexts } from '../connectors/dispute.ts'

const LONGEST_TEXT = 20_000

/** The shape of one evidence text in a request. */
export const evidenceText = Type.Optional(Type.String({ maxLength: LONGEST_TEXT }))

/** The shapes of all evidence texts, by name. */
export const evidenceTextShapes = Object.fromEntries(evidenceTexts.map(name => [name, evidenceText])) as Record<
  EvidenceText,
  typeof evidenceText
>
