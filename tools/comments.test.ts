import { deepEqual } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Comments have a noun as subject: a merchant, a caller, a connector, a job … What is quoted with backticks is a name,
 * and may be `nobody`.
 */

const root = join(import.meta.dirname, '..')
const RIDDLE = /\b(?:who(?:m|s)?ever|whatever|(?:some|any|every)(?:body|one)|nobody|no one)\b/i
const LONGEST_LINE = 120
/** First words of a comment whose subject only the code around it would tell. */
const NO_SUBJECT = /^(?:\/\*\*?|\/\/)[\s*]*(?:What|Who|Whose|Whom|Those|Whereto|By which)\b/

/** Comments, and the texts in which something may look like one. */
const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const SQL_COMMENTS = /--[^\n]*/g

/** The comments of a file, each with the line on which it begins. */
const commentsOf = (file: string, text: string): { line: number; comment: string }[] =>
  [...text.matchAll(file.endsWith('.sql') ? SQL_COMMENTS : TOKENS)]
    .filter(([token]) => /^(?:\/[/*]|--)/.test(token))
    .map(({ 0: comment, index }) => ({ line: text.slice(0, index).split('\n').length, comment }))

const files = globSync('{src,sandbox,test,tools,launch,bench}/**/*.{ts,js,mjs,sql}', { cwd: root, exclude: ['bench/yardstick/**'] })

test('comments name their subject instead of an indefinite pronoun', () => {
  const riddles = files.flatMap(file =>
    commentsOf(file, readFileSync(join(root, file), 'utf8')).flatMap(({ line, comment }) =>
      (RIDDLE.exec(comment.replace(/`[^`]*`/g, '')) ?? []).map(word => `${file}:${line}: ${word}`),
    ),
  )
  deepEqual(riddles, [])
})

/** A script that merchants pin by its hash, a drawing, and a text that is printed. */
const KEPT_WIDE = new Set(['src/pages/sdk/v1.js', 'launch/postgres.ts', 'tools/bridge/check.ts'])

test('comments of the service begin with their subject, or with what a function does', () => {
  const riddles = files
    .filter(file => /^(?:src|launch)\/.*(?<!\.test)\.ts$/.test(file))
    .flatMap(file =>
      commentsOf(file, readFileSync(join(root, file), 'utf8'))
        .filter(({ comment }) => NO_SUBJECT.test(comment))
        .map(({ line, comment }) => `${file}:${line}: ${comment.slice(0, 60)}`),
    )
  deepEqual(riddles, [])
})

test(`comments on lines of their own end before column ${LONGEST_LINE}`, () => {
  const wide = files
    .filter(file => !KEPT_WIDE.has(file))
    .flatMap(file =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          /^\s*(?:\/\/(?! biome-ignore)|\/?\*{1,2}|--) /.test(line) && line.length > LONGEST_LINE ? [`${file}:${i + 1}`] : [],
        ),
    )
  deepEqual(wide, [])
})
