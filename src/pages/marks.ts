import { Html } from './html.ts'

/** A few plain shapes that suggest each card network: 38 by 24, on a light card in both color schemes. */

const paper = '<rect x=".5" y=".5" width="37" height="23" rx="4" fill="#fff" stroke="#c9d1dc"/>'
const letters = (text: string, colour: string, size: number, more = '') =>
  `<text x="19" y="${12 + size * 0.36}" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="${size}" font-weight="700" fill="${colour}"${more}>${text}</text>`
const field = (colour: string) => `<rect width="38" height="24" rx="4" fill="${colour}"/>`
const discs = (left: string, right: string, between: string) =>
  `${paper}<circle cx="15" cy="12" r="7" fill="${left}"/><circle cx="23" cy="12" r="7" fill="${right}"/><path d="M19 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z" fill="${between}"/>`

const drawings: Record<string, string> = {
  Visa: paper + letters('VISA', '#1a2b7a', 11, ' font-style="italic"'),
  Mastercard: discs('#e0312a', '#f2a11f', '#f0661f'),
  Maestro: discs('#e0312a', '#1c8fd6', '#6d5fa8'),
  AmericanExpress: field('#1f72cd') + letters('AMEX', '#fff', 10),
  Discover: `${paper}<path d="M14 23.5h19.5a4 4 0 0 0 4-4V11c-5 6-13 10.500-23.500 12.500z" fill="#f0832b"/>${letters('DISC', '#23282f', 9)}`,
  DinersClub: `${paper}<circle cx="19" cy="12" r="8" fill="#2a5fa5"/><circle cx="19" cy="12" r="6" fill="#fff"/><path d="M17 7.500v9a5 5 0 0 1 0-9zm4 0a5 5 0 0 1 0 9z" fill="#2a5fa5"/>`,
  JCB: `${paper}<rect x="8" y="4" width="6.500" height="16" rx="2.500" fill="#1f5fb0"/><rect x="15.750" y="4" width="6.500" height="16" rx="2.500" fill="#d0213c"/><rect x="23.500" y="4" width="6.500" height="16" rx="2.500" fill="#2c9245"/>`,
  UnionPay: `${paper}<path d="M9 4h8l-3 16H6z" fill="#d0213c"/><path d="M17 4h8l-3 16h-8z" fill="#1d4b86"/><path d="M25 4h7l-3 16h-7z" fill="#16808a"/>`,
  CartesBancaires: field('#1d5c7d') + letters('CB', '#fff', 12),
  Interac: field('#f3b61b') + letters('Interac', '#23282f', 8),
  RuPay: paper + letters('RuPay', '#1f5a9e', 9),
}

const plain =
  '<rect x="1" y="1" width="36" height="22" rx="4" fill="none" stroke="currentColor" stroke-width="1.500"/><path d="M1 7.500h36" stroke="currentColor" stroke-width="3"/>'

export const marked = Object.keys(drawings)

/** All marks, which the page can draw anywhere with `<use href="#mark-Visa">`. */
export const marks = new Html(
  `<svg width="0" height="0" class="marks" aria-hidden="true"><defs>${Object.entries({ ...drawings, card: plain })
    .map(([name, drawing]) => `<symbol id="mark-${name}" viewBox="0 0 38 24">${drawing}</symbol>`)
    .join('')}</defs></svg>`,
)
