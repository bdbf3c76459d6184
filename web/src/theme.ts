import type { ThemeOptions } from '@mui/material/styles';
import { createTheme } from '@mui/material/styles';
import { ChevronDown } from 'lucide-react';

/** The colors of one scheme. Their contrasts were computed; see the design of the experience. */
interface Tokens {
  canvas: string;
  surface: string;
  raised: string;
  border: string;
  /** An input's border, which needs 3:1 against the surface. */
  control: string;
  text: readonly [primary: string, secondary: string, tertiary: string];
  primary: string;
  onPrimary: string;
  tint: string;
  success: string;
  warning: string;
  danger: string;
  info: string;
  focus: string;
  /** A place without data, on a map. */
  noData: string;
  category: Readonly<Record<ResultCategory, string>>;
  categorical: readonly string[];
}

/** The result categories. Color is never the only difference: each also has a pattern. */
export const resultCategories = [
  'positive',
  'negative',
  'indeterminate',
  'pending',
  'invalid',
  'unknown',
] as const;
export type ResultCategory = (typeof resultCategories)[number];

const light: Tokens = {
  canvas: '#F7F8FA',
  surface: '#FFFFFF',
  raised: '#F1F3F6',
  border: '#E1E5EB',
  control: '#8A94A3',
  text: ['#16202E', '#475467', '#667085'],
  primary: '#0F6A73',
  onPrimary: '#FFFFFF',
  tint: '#E3F1F2',
  success: '#1B7F4B',
  warning: '#9A6700',
  danger: '#B42318',
  info: '#1F5FBF',
  focus: '#1D4ED8',
  noData: '#D0D5DD',
  category: {
    positive: '#AB3625',
    negative: '#024498',
    indeterminate: '#C57C00',
    pending: '#7E6090',
    invalid: '#2A2E34',
    unknown: '#8D96A1',
  },
  categorical: ['#00434A', '#B64B00', '#8267D2', '#E65C97', '#2F7F58', '#17A0C9'],
};

const dark: Tokens = {
  canvas: '#0E141B',
  surface: '#151D26',
  raised: '#1C2631',
  border: '#2A3642',
  control: '#5F7080',
  text: ['#E6EBF1', '#A9B4C0', '#8593A1'],
  primary: '#5CC4CC',
  onPrimary: '#062A2E',
  tint: '#12343A',
  success: '#5FD39A',
  warning: '#F2C14E',
  danger: '#FF8A7A',
  info: '#8AB8FF',
  focus: '#9CC2FF',
  noData: '#4A5765',
  category: {
    positive: '#DF7340',
    negative: '#8ABDFF',
    indeterminate: '#EBB661',
    pending: '#A47FBF',
    invalid: '#5A6A78',
    unknown: '#DCE4F9',
  },
  categorical: ['#92BFC9', '#E8844F', '#8A80DD', '#C9669A', '#41B683', '#70E1FF'],
};

const sequential = ['#E8F4F3', '#C5E3E1', '#97CDCB', '#63B1B2', '#358F95', '#176B75', '#0B4651'];
/** The text color on each step, with a contrast of at least 4.5. */
const onSequential = ['#16202E', '#16202E', '#16202E', '#16202E', '#000000', '#FFFFFF', '#FFFFFF'];
const diverging = ['#1F5FA8', '#6E9FD0', '#BFD5EA', '#F1F1EF', '#F6CDA8', '#E08E4A', '#B4500F'];

/** Row heights of the three densities, in px. */
export const densities = { compact: 32, standard: 40, comfortable: 52 } as const;
export type Density = keyof typeof densities;

/** Width of the side navigation and height of the top bar, in px. */
export const frame = { navigation: 232, navigationCollapsed: 56, topBar: 52 } as const;

/** Motion in ms; the theme turns it off for users who prefer reduced motion. */
const motion = { fast: 120, slow: 180 } as const;

interface Extension {
  canvas: string;
  surface: string;
  raised: string;
  control: string;
  tint: string;
  focus: string;
  noData: string;
  category: Record<ResultCategory, string>;
  /** Six; a seventh thing is "Other". */
  categorical: string[];
  /** Seven steps from least to most. */
  sequential: string[];
  /** The text color on each of these. */
  onSequential: string[];
  diverging: string[];
}

declare module '@mui/material/styles' {
  interface Palette extends Extension {}
  interface PaletteOptions extends Extension {}
  interface TypeText {
    tertiary: string;
  }
  interface CssThemeVariables {
    enabled: true;
  }
  interface TypographyVariants {
    /** The key figure of a tile. */
    figure: React.CSSProperties;
    /** Ids and codes. */
    mono: React.CSSProperties;
  }
  interface TypographyVariantsOptions {
    figure: React.CSSProperties;
    mono: React.CSSProperties;
  }
}
declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    figure: true;
    mono: true;
    h4: false;
    h5: false;
    h6: false;
    subtitle1: false;
    subtitle2: false;
    overline: false;
  }
}

const palette = (tokens: Tokens, scheme: 'light' | 'dark') => ({
  background: { default: tokens.canvas, paper: tokens.surface },
  divider: tokens.border,
  text: {
    primary: tokens.text[0],
    secondary: tokens.text[1],
    tertiary: tokens.text[2],
    disabled: tokens.text[2],
  },
  // Buttons of the dark theme lighten on hover: darkened, their dark text would be unreadable.
  primary: {
    main: tokens.primary,
    contrastText: tokens.onPrimary,
    ...(scheme === 'dark' && { dark: '#7AD0D7' }),
  },
  success: { main: tokens.success },
  warning: { main: tokens.warning },
  error: { main: tokens.danger },
  info: { main: tokens.info },
  canvas: tokens.canvas,
  surface: tokens.surface,
  raised: tokens.raised,
  control: tokens.control,
  tint: tokens.tint,
  focus: tokens.focus,
  noData: tokens.noData,
  category: { ...tokens.category },
  categorical: [...tokens.categorical],
  sequential: scheme === 'light' ? sequential : sequential.toReversed(),
  onSequential: scheme === 'light' ? onSequential : onSequential.toReversed(),
  diverging,
});

const rem = (px: number) => `${px / 16}rem`;
const face = (size: number, line: number, weight = 400) => ({
  fontSize: rem(size),
  lineHeight: line / size,
  fontWeight: weight,
  letterSpacing: 0,
});
const sans = '"Public Sans Variable", system-ui, sans-serif';
const mono = '"IBM Plex Mono", ui-monospace, monospace';

const overlayShadow = '0 8px 24px -4px rgb(10 20 30 / 0.18), 0 2px 6px rgb(10 20 30 / 0.08)';

const options: ThemeOptions = {
  cssVariables: { colorSchemeSelector: 'data-theme', cssVarPrefix: 'cw' },
  colorSchemes: { light: { palette: palette(light, 'light') }, dark: { palette: palette(dark, 'dark') } },
  spacing: 4,
  shape: { borderRadius: 6 },
  motion: { reducedMotion: 'system' },
  transitions: {
    duration: {
      shortest: motion.fast,
      shorter: motion.fast,
      short: motion.slow,
      standard: motion.slow,
      complex: motion.slow,
      enteringScreen: motion.slow,
      leavingScreen: motion.fast,
    },
  },
  typography: {
    fontFamily: sans,
    fontWeightRegular: 400,
    fontWeightMedium: 550,
    fontWeightBold: 650,
    h1: face(24, 32, 650),
    h2: face(20, 28, 650),
    h3: face(16, 24, 650),
    body1: face(14, 20),
    body2: face(13, 20),
    caption: face(12, 16),
    button: { ...face(14, 20, 550), textTransform: 'none' },
    figure: face(32, 40, 650),
    mono: { ...face(13, 20), fontFamily: mono },
  },
};

const themed = createTheme({
  ...options,
  components: {
    MuiCssBaseline: {
      styleOverrides: (current) => ({
        html: { WebkitTextSizeAdjust: '100%' },
        body: {
          ...face(14, 20),
          backgroundColor: current.vars.palette.canvas,
          color: current.vars.palette.text.primary,
          accentColor: current.vars.palette.primary.main,
        },
        '#root': { minHeight: '100dvh' },
        // Digits below one another have the same width; in prose and headings they would look spaced.
        ':where(td)': { fontVariantNumeric: 'tabular-nums' },
        // Zero specificity, because every component with its own links styles them itself.
        ':where(a)': { color: current.vars.palette.primary.main },
        ':focus-visible': { outline: `2px solid ${current.vars.palette.focus}`, outlineOffset: 2 },
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0s !important',
            scrollBehavior: 'auto !important',
          },
        },
        // Forced colors remove backgrounds, so everything clickable keeps an edge. With `body`, because a
        // component's own `border: 0` comes after these styles with the specificity of one class.
        '@media (forced-colors: active)': {
          'body .MuiButton-root, body .MuiIconButton-root': { border: '1px solid ButtonText' },
          'body .MuiButton-root.Mui-disabled, body .MuiIconButton-root.Mui-disabled': {
            borderColor: 'GrayText',
          },
        },
        // On a phone, notifications are as wide as the screen, so elements under them move up; see
        // NotificationStack.
        '@media (max-width: 599.95px)': {
          html: { scrollPaddingBottom: 'var(--cw-notifications, 0px)' },
          body: { paddingBottom: 'var(--cw-notifications, 0px)' },
          '.MuiDialog-container': {
            boxSizing: 'border-box',
            paddingBottom: 'var(--cw-notifications, 0px)',
          },
        },
        '@media print': {
          '@page': { margin: '14mm' },
          body: { backgroundColor: '#fff', color: '#000' },
          '.no-print': { display: 'none !important' },
        },
      }),
    },
    MuiButtonBase: {
      defaultProps: { disableRipple: true, disableTouchRipple: true },
      styleOverrides: {
        root: ({ theme: current }) => ({
          fontFamily: 'inherit',
          '&.Mui-focusVisible': { outline: `2px solid ${current.vars.palette.focus}`, outlineOffset: 2 },
        }),
      },
    },
    MuiButton: {
      defaultProps: { disableElevation: true, size: 'medium' },
      styleOverrides: {
        root: ({ theme: current }) => ({
          minHeight: 36,
          padding: '7px 14px',
          borderRadius: 6,
          gap: 8,
          whiteSpace: 'nowrap',
          '& .MuiButton-startIcon': { margin: 0 },
          '& .MuiButton-endIcon': { margin: 0 },
          variants: [
            {
              props: { variant: 'outlined', color: 'primary' },
              style: {
                color: current.vars.palette.text.primary,
                borderColor: current.vars.palette.control,
                backgroundColor: current.vars.palette.surface,
                '&:hover': {
                  backgroundColor: current.vars.palette.raised,
                  borderColor: current.vars.palette.control,
                },
              },
            },
            {
              props: { variant: 'text', color: 'primary' },
              style: { '&:hover': { backgroundColor: current.vars.palette.raised } },
            },
            { props: { size: 'small' }, style: { minHeight: 32, padding: '5px 10px', fontSize: rem(13) } },
          ],
        }),
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: ({ theme: current }) => ({
          width: 36,
          height: 36,
          borderRadius: 6,
          color: current.vars.palette.text.secondary,
          '&:hover': { backgroundColor: current.vars.palette.raised },
          variants: [{ props: { size: 'small' }, style: { width: 32, height: 32, padding: 4 } }],
        }),
      },
    },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: { root: { backgroundImage: 'none' } },
    },
    MuiCard: {
      defaultProps: { variant: 'outlined' },
      styleOverrides: { root: { borderRadius: 10 } },
    },
    MuiPopover: {
      styleOverrides: {
        paper: ({ theme: current }) => ({
          borderRadius: 10,
          border: `1px solid ${current.vars.palette.divider}`,
          boxShadow: overlayShadow,
          marginTop: 4,
        }),
      },
    },
    MuiNativeSelect: {
      defaultProps: { IconComponent: ChevronDown },
      styleOverrides: {
        icon: { width: 16, height: 16, right: 8, top: 'calc(50% - 8px)' },
        select: { '&:focus': { backgroundColor: 'transparent' }, '&&': { paddingRight: 28 } },
      },
    },
    MuiMenu: { styleOverrides: { list: { padding: 4 } } },
    MuiMenuItem: {
      styleOverrides: {
        root: ({ theme: current }) => ({
          minHeight: 36,
          borderRadius: 6,
          padding: '6px 10px',
          gap: 10,
          fontSize: rem(14),
          '&.Mui-selected, &.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': {
            backgroundColor: current.vars.palette.tint,
          },
          '&.Mui-focusVisible': { outlineOffset: -2, backgroundColor: current.vars.palette.raised },
          '&:hover': { backgroundColor: current.vars.palette.raised },
        }),
      },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme: current }) => ({
          borderRadius: 10,
          border: `1px solid ${current.vars.palette.divider}`,
          boxShadow: overlayShadow,
        }),
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { ...face(20, 28, 650), padding: '20px 24px 4px' } } },
    MuiDialogContent: { styleOverrides: { root: { padding: '12px 24px' } } },
    MuiDialogActions: { styleOverrides: { root: { padding: '12px 24px 20px', gap: 8 } } },
    MuiBackdrop: {
      styleOverrides: {
        root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(10 16 24 / 0.45)' } },
      },
    },
    MuiDrawer: {
      styleOverrides: {
        paper: ({ theme: current }) => ({ borderColor: current.vars.palette.divider }),
      },
    },
    MuiTooltip: {
      defaultProps: { enterDelay: 400 },
      styleOverrides: {
        tooltip: ({ theme: current }) => ({
          ...face(12, 16),
          padding: '6px 8px',
          borderRadius: 6,
          backgroundColor: current.vars.palette.text.primary,
          color: current.vars.palette.surface,
        }),
      },
    },
    MuiInputBase: {
      styleOverrides: {
        root: {
          fontSize: rem(14),
          lineHeight: 20 / 14,
          '&.MuiInputBase-multiline': { padding: 0 },
        },
        input: { height: 'auto' },
      },
    },
    MuiOutlinedInput: {
      defaultProps: { notched: false },
      styleOverrides: {
        root: ({ theme: current }) => ({
          minHeight: 36,
          borderRadius: 6,
          backgroundColor: current.vars.palette.surface,
          '& .MuiOutlinedInput-notchedOutline': { borderColor: current.vars.palette.control, top: 0 },
          '& .MuiOutlinedInput-notchedOutline legend': { display: 'none' },
          '&:hover:not(.Mui-focused):not(.Mui-error) .MuiOutlinedInput-notchedOutline': {
            borderColor: current.vars.palette.text.secondary,
          },
          '&.Mui-focused': { outline: `2px solid ${current.vars.palette.focus}`, outlineOffset: 2 },
          '&.Mui-focused .MuiOutlinedInput-notchedOutline': {
            borderWidth: 1,
            borderColor: current.vars.palette.primary.main,
          },
          // The ring belongs to the box, not to the text inside it.
          '& :focus-visible': { outline: 'none' },
        }),
        input: { padding: '7px 10px' },
      },
    },
    MuiChip: {
      styleOverrides: {
        root: ({ theme: current }) => ({
          ...face(13, 20),
          height: 28,
          borderRadius: 999,
          backgroundColor: current.vars.palette.raised,
          variants: [
            {
              props: { variant: 'outlined' },
              style: { backgroundColor: 'transparent', borderColor: current.vars.palette.divider },
            },
          ],
        }),
      },
    },
    MuiAlert: {
      defaultProps: { variant: 'outlined' },
      styleOverrides: {
        root: ({ theme: current }) => ({
          ...face(14, 20),
          borderRadius: 6,
          color: current.vars.palette.text.primary,
          backgroundColor: current.vars.palette.surface,
        }),
      },
    },
    MuiSkeleton: {
      defaultProps: { animation: 'pulse' },
      styleOverrides: { root: ({ theme: current }) => ({ backgroundColor: current.vars.palette.raised }) },
    },
    MuiCheckbox: {
      styleOverrides: {
        root: ({ theme: current }) => ({ padding: 6, borderRadius: 6, color: current.vars.palette.control }),
      },
    },
    MuiLinearProgress: {
      styleOverrides: {
        root: ({ theme: current }) => ({
          borderRadius: 999,
          height: 6,
          backgroundColor: current.vars.palette.raised,
        }),
      },
    },
    MuiTab: {
      styleOverrides: {
        root: { minHeight: 40, textTransform: 'none', ...face(14, 20, 550), padding: '8px 12px' },
      },
    },
    // Within text, color must not be a link's only difference.
    MuiLink: { defaultProps: { underline: 'always' } },
  },
});

/**
 * The look of the whole product; nothing else sets its own color, radius or font size. Paper is white, so
 * dark colors apply only to screens.
 */
export const theme = {
  ...themed,
  generateStyleSheets: () =>
    themed
      .generateStyleSheets()
      .map((sheet) => ('[data-theme="dark"]' in sheet ? { '@media screen': sheet } : sheet)),
};
