import Type from 'typebox'
import { type EvidenceText, evidenceTexts } from '../connectors/dispute.ts'

const LONGEST_TEXT = 20_000

export const evidenceText = Type.Optional(Type.String({ maxLength: LONGEST_TEXT }))

export const evidenceTextShapes = Object.fromEntries(evidenceTexts.map(name => [name, evidenceText])) as Record<
  EvidenceText,
  typeof evidenceText
>
