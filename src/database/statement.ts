import { ok } from 'node:assert/strict'
import type { RowStatement, Statement } from '../context.ts'
import { rowReader, selectRow, type Table } from './table.ts'

const named = new Map<string, Statement>()

/** Returns a statement, prepared under its name once on each connection, and registered for `statement.test.ts`. */
export function statement(name: string, text: string): Statement {
  ok(!named.has(name), `two statements are called ${name}`)
  const one = { name, text }
  named.set(name, one)
  return one
}

/** Returns a statement whose rows come as one text each, in the column `row`, which `read` reads. */
export const textStatement = (name: string, text: string, read: RowStatement['read']): RowStatement =>
  Object.assign(statement(name, text), { read })

export const rowStatement = (name: string, of: Table, where: string): RowStatement =>
  textStatement(name, selectRow(of, where), rowReader(of))

/** Every statement, once `service.ts` is loaded, except those that `statements.ts` builds for changes. */
export const allStatements = (): readonly Statement[] => [...named.values()]
