import type { ReactElement } from 'react'
import { useLabels } from '../../queries'

// Types of routing rules as the interface has them, and their description in words.

export type Choice = { connector: string | null; merchant_connector_id?: string | null }
type Named = Choice | string
type Share = { connector: Named; split: number }
export type Selection = { type: string; data: unknown }
export type Comparison = { lhs: string; comparison: string; value: { type: string; value: unknown }; metadata?: object }
type Statement = { condition: readonly Comparison[]; nested?: readonly Statement[] | null }
type Rule = { name: string; connectorSelection: Selection; statements: readonly Statement[] }
export type Program = { defaultSelection: Selection; rules: readonly Rule[]; metadata: object }
export type Algorithm = { type: string; data: unknown }

export const comparisons = [
  { value: 'equal', label: 'is' },
  { value: 'not_equal', label: 'is not' },
  { value: 'less_than', label: 'is less than' },
  { value: 'less_than_equal', label: 'is at most' },
  { value: 'greater_than', label: 'is more than' },
  { value: 'greater_than_equal', label: 'is at least' },
]
const comparisonLabel = (comparison: string): string => comparisons.find(one => one.value === comparison)?.label ?? comparison

function valueText({ value }: Comparison['value']): string {
  if (Array.isArray(value)) return value.map(one => (typeof one === 'object' ? Object.values(one).join(' ') : String(one))).join(' or ')
  return typeof value === 'object' && value !== null ? Object.values(value).join(' = ') : String(value)
}

const Condition = ({ of }: { of: Comparison }): ReactElement => (
  <>
    <b className="strong">{of.lhs}</b> {comparisonLabel(of.comparison)} <b className="strong">{valueText(of.value)}</b>
  </>
)

function Statements({ all }: { all: readonly Statement[] }): ReactElement {
  return (
    <>
      {all.map(({ condition, nested }, at) => (
        <span key={JSON.stringify([condition, nested])}>
          {at > 0 && ', or '}
          {condition.map((one, n) => (
            <span key={JSON.stringify(one)}>
              {n > 0 && ' and '}
              <Condition of={one} />
            </span>
          ))}
          {nested && nested.length > 0 && (
            <>
              {condition.length > 0 && ' and '}(<Statements all={nested} />)
            </>
          )}
        </span>
      ))}
    </>
  )
}

/** Returns a function that gives the label of an account, by the account's entry in a rule. */
export function useNames(): (choice: Named) => string {
  const labelOf = useLabels()
  return choice => (typeof choice === 'string' ? choice : labelOf(choice.merchant_connector_id, choice.connector))
}

function DraftSelection({ to }: { to: Selection }): ReactElement {
  const nameOf = useNames()
  const data = Array.isArray(to.data) ? to.data : [to.data]
  const text =
    to.type === 'volume_split'
      ? (data as Share[]).map(({ connector, split }) => `${split} % to ${nameOf(connector)}`).join(', ')
      : `to ${(data as Named[]).map(nameOf).join(', then ')}`
  return <>goes {text}</>
}

/** Describes an algorithm in words. The first rule whose conditions match decides. */
export function Rules({ algorithm }: { algorithm: Algorithm }): ReactElement {
  if (algorithm.type !== 'advanced')
    return (
      <ol className="in tight">
        <li>
          Every payment <DraftSelection to={algorithm} />.
        </li>
      </ol>
    )
  const { rules, defaultSelection } = algorithm.data as Program
  return (
    <ol className="in tight">
      {rules.map(rule => (
        <li key={rule.name}>
          <span className="tag">{rule.name}</span> If <Statements all={rule.statements} />, it{' '}
          <DraftSelection to={rule.connectorSelection} />.
        </li>
      ))}
      <li>
        Everything else <DraftSelection to={defaultSelection} />.
      </li>
    </ol>
  )
}
