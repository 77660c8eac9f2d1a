import { annotationChanges } from './draft-annotation-changes.ts'
import type { DraftChange } from './draft-change.ts'
import { contentChanges } from './draft-content-changes.ts'
import { documentChanges } from './draft-document-changes.ts'
import { pageChanges } from './draft-page-changes.ts'
import { resourceChanges } from './draft-resource-changes.ts'
import { syntaxChanges } from './draft-syntax-changes.ts'

/** All changes of a rewritten file, in an order that keeps the documents of a seed the same. */
export const draftChanges: DraftChange[] = [
  ...contentChanges,
  ...pageChanges,
  ...resourceChanges,
  ...annotationChanges,
  ...documentChanges,
  ...syntaxChanges,
]
