_string_ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
_string_ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
_string_ascii_letters = _string_ascii_lowercase + _string_ascii_uppercase
_string_digits = '0123456789'
_string_hexdigits = '0123456789abcdefABCDEF'
_string_punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
_string_whitespace = ' \t\n\r\x0b\x0c'
