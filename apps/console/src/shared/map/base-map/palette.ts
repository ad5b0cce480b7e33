/** Colours of the land, so quiet that the markers of the controllers stand out on it. */
export interface Palette {
  water: string;
  land: string;
  coast: string;
  border: string;
  country: string;
  city: string;
  halo: string;
  green: string;
  building: string;
  road: string;
  motorway: string;
  rail: string;
}

export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    water: '#d9e4e6',
    land: '#f8f9f8',
    coast: '#b9c9cc',
    border: '#c3caca',
    country: '#566462',
    city: '#66736f',
    halo: '#f8f9f8',
    green: '#e8f0e9',
    building: '#eceeee',
    road: '#e3e6e6',
    motorway: '#d3d9d8',
    rail: '#dde1e1',
  },
  dark: {
    water: '#0b1012',
    land: '#1a2121',
    coast: '#2c3a3d',
    border: '#3d4949',
    country: '#9dabaa',
    city: '#899795',
    halo: '#1a2121',
    green: '#1a2522',
    building: '#202828',
    road: '#2a3333',
    motorway: '#364140',
    rail: '#252d2d',
  },
};
