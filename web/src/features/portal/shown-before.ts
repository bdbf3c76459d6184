import { createContext, type RefObject } from 'react';

/** Whether another screen, or the sign-in, was shown before, with which the focus was lost. */
export const ShownBefore = createContext<RefObject<boolean>>({ current: false });
