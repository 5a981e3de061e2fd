import type { CustomerState } from '../payments/lifecycle.ts'
import type { RecipientState } from '../payouts/lifecycle.ts'
import { type Language, pageTexts, type Texts } from './languages.ts'

/** The texts of pages by their key, of which some rooms replace those of rooms before them. */
const wordsOf = ({ form, frame, action, page, payoutPage, payoutFrame, methodsFrame, collectPage }: Texts) => ({
  ...form,
  ...frame,
  ...action,
  ...page,
  ...payoutPage,
  ...payoutFrame,
  ...methodsFrame,
  ...collectPage,
})
export type Word = keyof ReturnType<typeof wordsOf>

const fill = (text: string, facts: Record<string, string>): string => text.replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')

export function translator(language: Language) {
  const words = wordsOf(pageTexts[language])
  return (word: Word, facts: Record<string, string> = {}): string => fill(words[word], facts)
}
export type Translate = ReturnType<typeof translator>

type Stated = { heading: string; message: string }

/** No text of a state promises more about the money than the status does: the money of a failed payment may move. */
export const paymentStates = (language: Language): Record<CustomerState, Stated> => pageTexts[language].paymentStates
export const payoutStates = (language: Language): Record<RecipientState, Stated> => pageTexts[language].payoutStates
export type CollectState = keyof Texts['collectStates']
export const collectStates = (language: Language): Record<CollectState, Stated> => pageTexts[language].collectStates

type Script = 'form' | 'frame' | 'payoutForm' | 'payoutFrame' | 'methodsFrame' | 'collectForm'

const ofScripts: Record<Script, (texts: Texts) => Record<string, string>> = {
  form: ({ form }) => form,
  frame: ({ form, frame }) => ({ ...form, ...frame }),
  payoutForm: ({ form, payoutForm }) => ({ ...form, ...payoutForm }),
  payoutFrame: ({ form, payoutForm, payoutPage: { paidBy, amount, paidTo, receive, noWay } }) => ({
    ...{ ...form, ...payoutForm },
    ...{ paidBy, amount, paidTo, receive, noWay },
  }),
  methodsFrame: ({ form, frame, methodsForm }) => ({ ...form, ...frame, ...methodsForm }),
  collectForm: ({ form, payoutForm, collectForm }) => ({ ...form, ...payoutForm, ...collectForm }),
}
export const scriptTexts = (script: Script, language: Language): Record<string, string> => ofScripts[script](pageTexts[language])
