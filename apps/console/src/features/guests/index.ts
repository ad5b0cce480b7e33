export { GuestsAllowed } from './components/GuestsAllowed.tsx';
export { GuestsSetting } from './components/GuestsSetting.tsx';
