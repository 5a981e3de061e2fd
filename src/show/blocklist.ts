import type { Batch } from '../guard/batch.ts'
import type { BlocklistEntry } from '../guard/blocklist.ts'

export const showBlocked = ({ fingerprint_id, data_kind, created_at }: BlocklistEntry) => ({ fingerprint_id, data_kind, created_at })

export const showBatch = ({ version: _count, work_at: _workAt, ...batch }: Batch) => batch
