package dev.kopf4j.benchmarks;

/** Prints what was measured of the dev cluster, beside what it aims at, as a table in Markdown. */
final class ServerReport {
    private ServerReport() {}

    static void head() {
        System.out.println("| | measured | aim |\n|---|---|---|");
    }

    static void row(String title, String aim, String measured) {
        System.out.println("| " + title + " | " + measured + " | " + aim + " |");
    }
}
