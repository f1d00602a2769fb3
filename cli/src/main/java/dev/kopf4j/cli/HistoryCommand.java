package dev.kopf4j.cli;

import dev.kopf4j.cli.operation.FolderLines;
import dev.kopf4j.cli.operation.ToldHistory;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.engine.recording.RecordFolder;
import dev.kopf4j.engine.recording.RecordQuery;
import dev.kopf4j.engine.recording.RecordedObject;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kopf4j history}: tells what an operator has done, for one object or for all. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        description = {
            "Tells what an operator has done: events, decisions, calls of handlers, requests, each with its time and duration.",
            "The operator itself tells it as far as its memory reaches (the setting recorder.memory), the folder of its record",
            "(recorder.folder) as far as that does, also when it does not run any more. It tells no values of objects, unless it was told to",
            "record them, and those of Secrets never."
        },
        footer = {"", "Exit codes: 0 it is told, 1 nobody answers, or there is no record, 2 wrong usage."})
final class HistoryCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int WAIT_SECONDS = 25;
    private static final Duration WAIT = PATIENCE.plusSeconds(WAIT_SECONDS);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KIND/NAME",
            description =
                    "The object: its kind, or the plural name of its resource, and its name; KIND for all of a kind (default: all"
                            + " that the operator has done).")
    private String object = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the object (default: any).")
    private String namespace = "";

    @Option(
            names = "--readiness",
            paramLabel = "URL",
            description =
                    "Ask the operator at this address, as in `run --readiness`. It answers where it runs itself: make its port a"
                            + " local one by `kubectl port-forward`.")
    private @Nullable URI readiness;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Read the record in this folder, as in the setting recorder.folder.")
    private @Nullable Path folder;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "json, for programs: the lines as they were recorded.")
    private @Nullable String output;

    @Option(names = "--follow", description = "Go on with what happens from now on.")
    private boolean follow;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (output != null && !output.equals("json")) {
            throw CommandException.usage("--output can be json: " + output);
        }
        if ((readiness == null) == (folder == null)) {
            throw CommandException.usage("Say where the record is: --readiness URL, as in `run --readiness URL`, or"
                    + " --folder DIR, as in the setting recorder.folder.");
        }
        RecordedObject asked = RecordedObject.of(object, namespace);
        if (asked.name().contains("/")) {
            throw CommandException.usage("'" + object
                    + "' names no object: write KIND/NAME, as in kopfexamples/my-object, and the namespace by -n.");
        }
        ToldHistory history = new ToldHistory(asked, output != null, ZoneId.systemDefault(), this::print);
        if (readiness != null) {
            tell(history, readiness);
        } else {
            tell(history, folder);
        }
        return ExitCode.OK;
    }

    private void tell(ToldHistory history, URI address) throws InterruptedException {
        long told = history.tell(ask(address, 0, 0).lines());
        if (told == 0) {
            printNothing(history);
        }
        while (follow) {
            history.tell(ask(address, history.position(), WAIT_SECONDS).lines());
        }
    }

    private void tell(ToldHistory history, Path record) throws InterruptedException {
        AtomicLong told = new AtomicLong();
        FolderLines lines = new FolderLines(record, line -> told.addAndGet(history.tell(Stream.of(line))));
        try {
            if (new RecordFolder(record).files().isEmpty()) {
                throw CommandException.failure("There is no record in " + record
                        + ": an operator writes one if its setting recorder.folder says where.");
            }
            lines.read();
            if (told.get() == 0) {
                printNothing(history);
            }
            if (follow) {
                lines.follow();
            }
        } catch (IOException e) {
            throw CommandException.failure(
                    "The record in " + record + " cannot be read: " + FileProblem.describe(record, e) + ".");
        }
    }

    private String ask(URI address, long after, int wait) throws InterruptedException {
        String query = "?history=" + encoded(object) + "&namespace=" + encoded(namespace) + "&after=" + after + "&wait="
                + wait;
        try {
            HttpResponse<String> response = RunningOperator.get(address, query, WAIT);
            String type = response.headers().firstValue("Content-Type").orElse("");
            if (!type.startsWith(RecordQuery.TYPE)) {
                throw CommandException.failure("There is no record at " + address
                        + ". An operator tells it at its readiness probe, where it runs itself (`kubectl port-forward` makes its port a"
                        + " local one), unless its setting recorder.memory is 0.");
            }
            return response.body();
        } catch (IOException e) {
            throw CommandException.failure(
                    "The operator does not answer at " + address + " (" + e
                            + "). Is it running with --readiness, and is the address reachable from here? `kubectl port-forward` helps.");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Programs read lines of JSON: a sentence is not for them. */
    private void printNothing(ToldHistory history) {
        if (output == null) {
            print(history.nothing());
        } else {
            PrintWriter err = spec.commandLine().getErr();
            err.println(history.nothing());
            err.flush();
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
