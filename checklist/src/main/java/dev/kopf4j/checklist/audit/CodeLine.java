package dev.kopf4j.checklist.audit;

/**
 * A line of the product's code. Immutable.
 *
 * @param type the class, by its full name, with {@code $} before nested ones
 * @param number the number of the line in its file
 */
record CodeLine(String type, int number) implements Comparable<CodeLine> {
    static CodeLine parse(String text) {
        int colon = text.lastIndexOf(':');
        return new CodeLine(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public int compareTo(CodeLine other) {
        int byType = type.compareTo(other.type);
        return byType == 0 ? Integer.compare(number, other.number) : byType;
    }

    /** As it is read by {@link #parse}. */
    @Override
    public String toString() {
        return type + ":" + number;
    }
}
