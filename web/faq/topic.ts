import type { Text } from '../../contract/enums.ts'
import type { FeatureText, QuestionId } from '../text/questions.ts'

/** Questions about one thing, in their order, each with the paragraphs of its answer. `id` is a deep link, as theirs are. */
export type Topic = { id: string; title: Text; answers: Partial<Record<QuestionId, readonly FeatureText[]>> }
