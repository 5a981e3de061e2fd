import type { Files } from '../world.ts'
import { openFolder } from './folder.ts'
import { type Bucket, openBucket } from './s3.ts'

/** Where files are kept: in a folder, or in a bucket of a store that speaks S3. */
export type FilesConfig = { folder: string } | Bucket

/** Opens the edge to files. Nothing is touched before the first of them: who keeps none needs no folder. */
export const openFiles = (config: FilesConfig): Files => ('folder' in config ? openFolder(config.folder) : openBucket(config))
