import { name } from '@caseway/contract/name';
import { z } from 'zod';

/** What a person enters for a saved view. */
export const presetForm = z.object({ name: name(80), shared: z.boolean() });
