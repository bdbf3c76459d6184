import { createContext, type RefObject } from 'react';

/** Whether another screen, or the sign-in, was shown before: the focus was lost with it. */
export const ShownBefore = createContext<RefObject<boolean>>({ current: false });
