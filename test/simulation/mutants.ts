/**
 * Known mistakes: each mutant removes one guard from the service. A simulation that does not find them proves nothing.
 * A mutant's `from` must be in its file; `tools/mutants.test.ts` reports a text that is no longer in its file.
 * `isRare`: whether the mistake shows only where several troubles meet, so that many seeds are needed. The others are
 * found by the first six (`hunt.ts`).
 */
export type Mutant = { name: string; file: string; from: string; to: string; isRare?: true }

export const mutants: readonly Mutant[] = [
  {
    name: 'a lost response counts as a decline',
    file: 'src/connectors/kit/parse-reply.ts',
    from: "if (reply.is === 'silence') return unknown(reply.why)",
    to: "if (reply.is === 'silence') return { is: 'not_sent', why: reply.why }",
  },
  {
    name: 'an operation that the processor does not find yet counts as never received',
    isRare: true,
    file: 'src/operations/sync.ts',
    from: 'if (inFlightWindowIsOver(context, since, window_ms)) return outcome',
    to: 'if (context.now() > since) return outcome',
  },
  {
    name: 'a suspended process sends an operation that another process has ruled out meanwhile',
    isRare: true,
    file: 'src/operations/perform.ts',
    from: 'if (!again && between(operation.modified_at, context.now()) > TOO_LATE_MS)',
    to: 'if (!again && operation.amount < 0)',
  },
  {
    name: 'an overtaken sender reports that nothing was sent',
    isRare: true,
    file: 'src/operations/perform.ts',
    from: "(outcome.is === 'not_sent' || isNotLetIn(outcome)) && now.purpose",
    to: 'now.amount < 0 && now.purpose',
  },
  {
    name: 'a due poll does not ask the processor',
    file: 'src/operations/poll.ts',
    from: 'sooner = await syncOperation({ context, services, merchant }, operation)',
    to: 'sooner = null',
  },
  {
    name: 'a change is written without checking the version of the row',
    file: 'src/database/statement-parts.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of the file
    from: 'and ${head.name}.version = ${version}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of the file
    to: 'and (${head.name}.version = ${version} or ${head.name}.version > 0)`',
  },
  {
    name: 'a version conflict counts as a successful write',
    file: 'src/operations/apply-outcome.ts',
    from: "if (written.is === 'written') {",
    to: "if (written.is === 'written' || Object.assign(written, { row: change.after })) {",
  },
  {
    name: 'an operation is read before its payment',
    isRare: true,
    file: 'src/operations/apply-outcome.ts',
    from: `  const head = await aggregateOf(services, named).find(context, named.merchant_id, named.object_id)
  const operation = head && (await findOperation(context, named, named.n))`,
    to: `  const operation = await findOperation(context, named, named.n)
  const head = await aggregateOf(services, named).find(context, named.merchant_id, named.object_id)`,
  },
  {
    name: 'a second response to a capture is counted again',
    file: 'src/payments/verbs/capture.ts',
    from: 'if (!acceptsUpdates(operation)) return afterTheEnd(payment, operation, outcome, now, rule)',
    to: "if (!acceptsUpdates(operation)) return outcome.is === 'done' ? { move: null, head: { amount_received: payment.amount_received + operation.amount }, operation: {} } : afterTheEnd(payment, operation, outcome, now, rule)",
  },
  {
    name: 'a capture is not added to amount_received',
    file: 'src/payments/verbs/capture.ts',
    from: 'const totals = { amount_capturing, amount_received: payment.amount_received + operation.amount, amount_capturable: rest }',
    to: 'const totals = { amount_capturing, amount_received: payment.amount_received, amount_capturable: rest }',
  },
  {
    name: 'a pending refund does not count against the refundable amount',
    file: 'src/refunds/create.ts',
    from: 'amount_refunding: before.amount_refunding + amount,',
    to: 'amount_refunding: before.amount_refunding,',
  },
  {
    name: 'a refund may exceed the refundable amount',
    file: 'src/refunds/check.ts',
    from: 'if (amount > left) refuse(',
    to: 'if (amount < 0) refuse(',
  },
  {
    name: 'a declined refund counts as refunded',
    file: 'src/refunds/verb.ts',
    from: "return step(refund, 'failed', { connector_refund_id, last_error: failure.of(outcome, rule) }, now, patch, { amount_refunding })",
    to: "return step(refund, 'failed', { connector_refund_id, last_error: failure.of(outcome, rule) }, now, patch, { amount_refunding, amount_refunded: payment.amount_refunded + operation.amount })",
  },
  {
    name: 'an unexpected charge is not returned',
    file: 'src/operations/apply-outcome.ts',
    from: '  if (step.open) {',
    to: "  if (step.open && step.open.is !== 'reversal') {",
  },
  {
    name: 'money moves without a ledger posting',
    file: 'src/operations/apply-outcome.ts',
    from: '    posts,\n    by: context.by,',
    to: '    by: context.by,',
  },
  {
    name: 'an Idempotency-Key is not claimed in the commit of its request',
    file: 'src/http/idempotency.ts',
    from: 'await context.commit({ ...change, claim } as typeof change & ClaimedChange)',
    to: 'await context.commit(change)',
  },
  {
    name: 'a second request with an Idempotency-Key takes over while the first is still running',
    isRare: true,
    file: 'src/http/idempotency.ts',
    from: 'const stale_before = context.steadySince() <= before ? before : NEVER',
    to: 'const stale_before = before < NEVER ? before : claimed_at',
  },
  {
    name: 'a repeated Idempotency-Key runs the request again',
    file: 'src/http/idempotency.ts',
    from: 'if (row.status !== null && row.answer) return replay(row.answer)',
    to: 'if (row.status !== null && row.answer) return current ? { body: await current.show(row.object_id), replayed: true } : replay(row.answer)',
  },
  {
    name: 'an interrupted commit counts as written',
    file: 'src/database/writer.ts',
    from: '    for (const item of batch) item.cutOff ||= cutOff\n    queue.putFirst(batch)',
    to: '    if (cutOff) for (const item of batch) item.resolve(true)\n    else queue.putFirst(batch)',
  },
  {
    name: 'a declined capture keeps its amount reserved',
    file: 'src/payments/verbs/capture.ts',
    from: 'const kept = payment.amount_capturable + operation.amount +',
    to: 'const kept = payment.amount_capturable +',
  },
  {
    name: 'an operation is abandoned after one lost response',
    file: 'src/operations/sync.ts',
    from: 'const last = isUnfinished(operation) && context.now() >= until',
    to: 'const last = isUnfinished(operation) && until !== null',
  },
  {
    name: 'a disputed amount stays refundable',
    file: 'src/disputes/change.ts',
    from: 'amount_disputed: payment.amount_disputed + kept - keptBefore,',
    to: 'amount_disputed: payment.amount_disputed,',
  },
  {
    name: 'a payout in flight is cancelled without asking the processor',
    file: 'src/payouts/cancel.ts',
    from: "  if (may(lifecycle, before.status, 'cancelled')) {\n    const cancelled = { ...before, status: after(lifecycle, before.status, 'cancelled'), expire_at: null }",
    to: "  if (may(lifecycle, before.status, 'cancel_sent') || may(lifecycle, before.status, 'cancelled')) {\n    const cancelled = { ...before, status: 'cancelled' as const, expire_at: null }",
  },
  {
    name: 'a void leaves the held amount in the payment',
    file: 'src/payments/verbs/void.ts',
    from: 'head: alone ? { alone: null, amount_capturable: 0, next_action: null,',
    to: 'head: alone ? { alone: null, next_action: null,',
  },
  {
    name: 'a completed payout still counts as pending',
    file: 'src/payouts/verbs.ts',
    from: "move: ifAllowed(payout, 'paid') ?? ifAllowed(payout, 'paid_after_all'),",
    to: 'move: null,',
  },
  {
    name: 'a movement of others is booked again with each report',
    file: 'src/outside/books.ts',
    from: '(movement.request_id === request_id || (reference !== null && movement.reference === reference))',
    to: 'movement.request_id === request_id',
  },
  {
    name: 'an operation under way explains nothing of what a processor reports',
    isRare: true,
    file: 'src/outside/books.ts',
    from: 'acceptsUpdates(one) || (endedWithOurNo(one) && one.poll_at !== null)',
    to: 'acceptsUpdates(one) && one.amount < 0',
  },
  {
    name: 'a capture that others made is ignored',
    file: 'src/outside/compare.ts',
    from: '      // Of a capture that waits nothing was taken yet.\n      if (isWaiting) {',
    to: '      if (isWaiting || amount > 0) {',
  },
  {
    name: 'a void that others made is ignored',
    file: 'src/outside/compare.ts',
    from: "    external.push({ verb: 'void',",
    to: "    if (isTaken) external.push({ verb: 'void',",
  },
  {
    name: 'a refund that the processor took back stays refunded',
    file: 'src/outside/books.ts',
    from: "movement.state === 'declined' && (own.state === 'done' || acceptsUpdates(own))",
    to: "movement.state === 'declined' && own.amount < 0",
  },
  {
    name: 'a refund that others made is not announced',
    file: 'src/outside/book.ts',
    from: 'announces: refundStatuses[refund.status].eventType,',
    to: 'announces: null,',
  },
  {
    name: 'a refund that others made leaves the amount refundable',
    file: 'src/outside/book.ts',
    from: 'head: { [column]: payment[column] + amount, refund_count',
    to: 'head: { [column]: payment[column], refund_count',
  },
  {
    name: 'what others moved is not posted in the ledger',
    file: 'src/outside/book.ts',
    from: '    posts,\n    by: context.by,',
    to: '    by: context.by,',
  },
  {
    name: 'what others moved is not counted apart',
    file: 'src/outside/book.ts',
    from: '(payment.adjustments?.outside ?? 0) + movedBy(payment, external)',
    to: 'payment.adjustments?.outside ?? 0',
  },
  {
    name: 'the list of changes of a processor is not read',
    file: 'src/outside/watch.ts',
    from: 'for (const update of read.updates) await receiveUpdate',
    to: 'for (const update of read.updates.slice(read.updates.length)) await receiveUpdate',
  },
]
