import { ok } from 'node:assert/strict'
import type { RowStatement, Statement } from '../context.ts'
import { rowReader, selectRow, type Table } from './table.ts'

const named = new Map<string, Statement>()

/**
 * Returns a statement that is prepared under its name, once on each connection. All statements are registered, so that
 * a test can check the rule of `statement.test.ts`.
 */
export function statement(name: string, text: string): Statement {
  ok(!named.has(name), `two statements are called ${name}`)
  const one = { name, text }
  named.set(name, one)
  return one
}

/** Returns a statement whose rows come as one text each, in the column `row`, which `read` reads. */
export const textStatement = (name: string, text: string, read: RowStatement['read']): RowStatement =>
  Object.assign(statement(name, text), { read })

/** Returns a statement that looks up whole rows by their key. */
export const rowStatement = (name: string, of: Table, where: string): RowStatement =>
  textStatement(name, selectRow(of, where), rowReader(of))

/**
 * Returns every statement of the service, once `service.ts` is loaded; except those of changes, which are built from
 * their tables (`statements.ts`).
 */
export const allStatements = (): readonly Statement[] => [...named.values()]
