import { z } from 'zod';

/** What a person gives a preset. */
export const presetForm = z.object({ name: z.string().trim().min(1).max(80), shared: z.boolean() });
