/**
 * What a batch is compressed against, the likeliest at the end. Both ends hold the same bytes: a change of them is another
 * form of telemetry.
 */
const words = [
  // Devices and controls of Wiren Board.
  'wb-adc wb-gpio wb-w1 wb-rules wb-mcu power_status alarms buzzer network hwmon system battery metrics zigbee2mqtt',
  ' wb-mr6c_ wb-mr6cu_ wb-mrps6_ wb-mdm3_ wb-mrgbw-d_ wb-led_ wb-mcm8_ wb-mai6_ wb-map12e_ wb-map3e_ wb-map6s_ wb-msw-v3_',
  ' wb-msw-v4_ wb-ms_ wb-mir-v3_ wb-mwac-v2_ wb-mr3_ wb-mao4_ wb-m1w2_ wb-mge_ wb-ref-df-178a_ Input Output Counter ',
  'Channel Temperature Humidity Air Quality (VOC) CO2 Illuminance Sound Level Max Motion Current Motion Pressure Serial ',
  'Supply Voltage MCU Temperature Uptime External Sensor 1 Frequency Total P L1 Total AP energy Urms L1 Irms L2 Phase L3 ',
  'Vin 5Vout 3.3V 12V BAT Vbat R1 A1 A2 A3 A4 K1 K2 K3 K4 K5 K6 D1 working on battery enabled brightness input output ',
  '28-00000 floor room supply return boiler pump valve fan relay sensor counter status state level power setpoint ',
  // Descriptions.
  'pushbutton rel_humidity atmospheric_pressure sound_level concentration illuminance power_consumption resistance lux ppb ',
  'ppm dB mbar kWh rgb current power range alarm text °C %, RH W A Hz deg C Включение Выключение Вход Выход Счётчик ',
  'Счетчик Канал Яркость Температура Влажность Качество воздуха Освещенность Уровень шума Движение Давление Напряжение ',
  'питания Серийный номер Состояние Частота Мощность Ток Потребление Датчик Подача Обратка Насос Клапан Реле Кнопка ',
  'true false on off none error "}{"streamId":"","lost":0}',
  '{"title":{"en":"","ru":null},"type":"voltage","units":"V","order":12,"readonly":false,"error":null}',
  '{"title":{"en":null,"ru":null},"type":"value","units":null,"order":1,"readonly":true,"error":null}',
  '{"title":{"en":"","ru":""},"type":"temperature","units":null,"order":1,"readonly":true,"error":null}',
  '{"title":{"en":null,"ru":null},"type":"switch","units":null,"order":null,"readonly":null,"error":null}',
];

export const dictionary = Buffer.from(words.join(''));
