package dev.kopf4j.devcluster.schema;

/** Numbers with a check digit: books, credit cards. Pure. */
final class CheckDigits {
    private CheckDigits() {}

    private static String digits(String text) {
        return text.replaceAll("[\\s-]+", "");
    }

    static boolean isIsbn10(String text) {
        String digits = digits(text);
        if (!digits.matches("\\d{9}[\\dX]")) {
            return false;
        }
        int sum = 0;
        for (int index = 0; index < 10; index++) {
            char digit = digits.charAt(index);
            sum += (index + 1) * (digit == 'X' ? 10 : digit - '0');
        }
        return sum % 11 == 0;
    }

    static boolean isIsbn13(String text) {
        String digits = digits(text);
        if (!digits.matches("\\d{13}")) {
            return false;
        }
        int sum = 0;
        for (int index = 0; index < 13; index++) {
            sum += (index % 2 == 0 ? 1 : 3) * (digits.charAt(index) - '0');
        }
        return sum % 10 == 0;
    }

    static boolean isCreditCard(String text) {
        String digits = digits(text);
        if (!digits.matches("\\d{13,19}")) {
            return false;
        }
        int sum = 0;
        for (int index = 0; index < digits.length(); index++) {
            int digit = digits.charAt(digits.length() - 1 - index) - '0';
            int twice = digit * 2;
            sum += index % 2 == 0 ? digit : twice > 9 ? twice - 9 : twice;
        }
        return sum % 10 == 0;
    }
}
