package dev.kopf4j.checklist.audit;

/**
 * One small change of the product's code. Immutable.
 *
 * @param line where it is
 * @param method the number of the method in its class
 * @param element the number of the instruction in the code of the method
 * @param operator what is done to it
 */
record Mutant(CodeLine line, int method, int element, MutationOperator operator) {
    static Mutant parse(String text) {
        String[] parts = text.split(" ", -1);
        return new Mutant(
                CodeLine.parse(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                MutationOperator.valueOf(parts[3]));
    }

    /** As it is read by {@link #parse}. */
    @Override
    public String toString() {
        return line + " " + method + " " + element + " " + operator.name();
    }

    /** For people. */
    String describe() {
        return line.toString().substring(line.type().lastIndexOf('.') + 1) + " " + operator.words();
    }
}
