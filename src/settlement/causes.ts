/** Why a line and our books differ: the one list of causes, for answers, filters and documentation. */
export const causes = {
  missing_here: 'The report has a movement of which this service knows nothing',
  missing_there: 'A movement here that no report has, after the processor’s usual delay',
  amount_differs: 'The amounts differ',
  currency_differs: 'The currencies differ, and the report does not name the amount before conversion',
  fee_differs: 'The report names another fee than when the line was first read',
  changed: 'The report names another amount than when the line was first read',
  duplicate: 'The processor settles a movement a second time',
  unknown_type: 'The report has a type of line that this service does not know',
  unreadable: 'A line of the report cannot be read',
  payout_differs: 'The processor paid out another amount than the lines of the payout add up to',
} as const
export type Cause = keyof typeof causes
