package dev.kopf4j.engine.recording;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.recording.RecordFolder.OpenFile;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A record in a folder, whose disk may fill up. Tests {@link RecordWriter} and {@link RecordFolder}. */
@Tag("Q20")
class RecordWriterTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final OperatorSettings settings = new OperatorSettings();

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.recorder");

    @TempDir
    private Path temporary;

    private Recorder recorder = new Recorder(platform, settings.recorder());
    private int steps;

    private Path folder() {
        return temporary.resolve("made/record");
    }

    private RecordWriter start() {
        settings.recorder().folder(folder().toString());
        return Objects.requireNonNull(RecordWriter.start(platform, recorder, settings.recorder()));
    }

    private void record(int count) {
        for (int i = 0; i < count; i++) {
            recorder.happened(new OperatorStep.PauseChanged(null, "reason " + ++steps, true));
        }
    }

    private List<String> told() {
        return log.lines(Level.INFO);
    }

    private void end(RecordWriter writer) {
        platform.spawn("ending", () -> {
            try {
                writer.end(platform.after(Duration.ofSeconds(2)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofSeconds(3));
    }

    private List<Path> files() throws IOException {
        return new RecordFolder(folder()).files();
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> found = new ArrayList<>();
        for (Path file : files()) {
            Files.readAllLines(file, StandardCharsets.US_ASCII).forEach(line -> found.add(Json.parse(line)));
        }
        return found;
    }

    private List<String> reasons() throws IOException {
        return lines().stream()
                .map(line -> line.path("step").asString("").equals("lost")
                        ? line.path("count").asInt() + " lost"
                        : line.path("reason").asString(""))
                .toList();
    }

    private static List<String> reasons(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(each -> "reason " + each)
                .toList();
    }

    @Test
    void whatIsRecordedStandsInTheFolderSoonAndTheRestAtTheEnd() throws IOException {
        RecordWriter writer = start();
        platform.runFor(Duration.ofMinutes(1));
        assertThat(files()).as("at rest there is no file").isEmpty();
        record(3);
        platform.runFor(Duration.ofMillis(300));
        assertThat(reasons()).containsExactlyElementsOf(reasons(1, 3));
        record(2);
        end(writer);
        assertThat(reasons()).containsExactlyElementsOf(reasons(1, 5));
        assertThat(files()).hasSize(1);
        assertThat(Files.getPosixFilePermissions(files().getFirst())).hasSize(2);
        assertThat(told()).isEmpty();
    }

    @Test
    void anotherProcessGoesOnInAnotherFile() throws IOException {
        RecordWriter first = start();
        record(2);
        end(first);
        Files.writeString(
                files().getFirst(),
                Files.readString(files().getFirst()) + "{\"n\":3,\"at\":\"2020-01-0",
                StandardCharsets.US_ASCII);
        recorder = new Recorder(platform, settings.recorder());
        RecordWriter second = start();
        record(1);
        end(second);
        assertThat(files()).hasSize(2);
        assertThat(Json.parse(Files.readString(files().getLast())).path("n").asInt())
                .isEqualTo(1);
    }

    @Test
    void theOldestFilesGoWhenThereIsNoRoomForMore() throws IOException {
        settings.recorder().folderLimit(1);
        RecordWriter writer = start();
        for (int second = 0; second < 50; second++) {
            record(500);
            platform.runFor(Duration.ofSeconds(1));
        }
        end(writer);
        long size = 0;
        for (Path file : files()) {
            size += Files.size(file);
        }
        assertThat(size).isBetween(600_000L, 1L << 20);
        assertThat(files()).hasSizeBetween(5, 9);
        assertThat(reasons().getLast()).isEqualTo("reason 25000");
        assertThat(reasons())
                .as("without a gap")
                .containsExactlyElementsOf(reasons(25001 - reasons().size(), 25000));
    }

    @Test
    void aFullDiskIsToldOnceAndWhatIsMissingIsCounted() throws IOException {
        boolean[] full = {false};
        RecordFolder place = new RecordFolder(folder());
        settings.recorder().memory(1);
        recorder = new Recorder(platform, settings.recorder());
        RecordWriter writer = new RecordWriter(platform, recorder, place, 100 << 20, (begin, number) -> {
            OpenFile made = place.begin(begin, number);
            made.close();
            return new OpenFile(
                    made.path(), made.number(), new RandomAccessFile(made.path().toFile(), "rw")) {
                @Override
                void write(RandomAccessFile target, byte[] bytes) throws IOException {
                    if (full[0]) {
                        target.write(bytes, 0, bytes.length / 2);
                        throw new IOException("No space left on device");
                    }
                    super.write(target, bytes);
                }
            };
        });
        record(10);
        platform.runFor(Duration.ofSeconds(1));
        full[0] = true;
        for (int second = 0; second < 60; second++) {
            record(500);
            platform.runFor(Duration.ofSeconds(1));
        }
        assertThat(told()).hasSize(1);
        assertThat(told().getFirst()).contains(folder().toString(), "the disk is full", "The operator goes on");
        assertThat(files()).as("attempts leave no file").hasSize(1);
        full[0] = false;
        platform.runFor(Duration.ofSeconds(11));
        end(writer);
        assertThat(told()).hasSize(2);
        assertThat(told().getLast()).contains("again");
        List<String> found = reasons();
        assertThat(found.subList(0, 10)).isEqualTo(reasons(1, 10));
        assertThat(found.get(10)).endsWith(" lost");
        int lost = Integer.parseInt(found.get(10).replace(" lost", ""));
        assertThat(lost).isGreaterThan(1000);
        assertThat(found.subList(11, found.size())).isEqualTo(reasons(11 + lost, 30010));
    }

    private void write(String begin, String number, int bytes) throws IOException {
        Files.createDirectories(folder());
        Files.writeString(
                folder().resolve("record-" + begin + "T000000.000Z-" + number + ".jsonl"),
                "-".repeat(bytes),
                StandardCharsets.US_ASCII);
    }

    private List<String> names() throws IOException {
        return files().stream().map(file -> file.getFileName().toString()).toList();
    }

    @Test
    void filesWithLongNumbersBelongToTheRecordInTheirOrder() throws IOException {
        for (String number : List.of("1000001", "000000003", "999999", "1000000", "000002", "12345")) {
            write("20200101", number, 10);
        }
        assertThat(names())
                .extracting(
                        name -> Integer.parseInt(name.replaceFirst(".*Z-0*", "").replace(".jsonl", "")))
                .containsExactly(2, 3, 999_999, 1_000_000, 1_000_001);
        new RecordFolder(folder()).shrinkTo(20);
        assertThat(names()).hasSize(2).last().asString().contains("1000001");
    }

    @Test
    void afterARunUnderAClockOfTheFutureItsFilesAreStillTheOldest() throws IOException {
        settings.recorder().folderLimit(1);
        write("20300101", "000001", 300_000);
        write("20300101", "000002", 300_000);
        RecordWriter writer = start();
        for (int second = 0; second < 50; second++) {
            record(500);
            platform.runFor(Duration.ofSeconds(1));
        }
        end(writer);
        assertThat(names()).hasSizeBetween(5, 9).allMatch(name -> name.startsWith("record-20300101T000000.001Z-00000"));
        assertThat(reasons().getLast()).isEqualTo("reason 25000");
    }

    @Test
    void aFileOfSomeoneElseWithAnImpossibleTimeHoldsUpNothing() throws IOException {
        write("99999999", "000001", 10);
        RecordWriter writer = start();
        record(1);
        end(writer);
        assertThat(names()).hasSize(2).first().asString().startsWith("record-20200101T");
    }

    @Test
    void aFolderThatWasDeletedIsMadeAnew() throws IOException {
        RecordWriter writer = start();
        record(1);
        platform.runFor(Duration.ofSeconds(1));
        try (Stream<Path> all = Files.walk(temporary.resolve("made"))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        record(1);
        end(writer);
        assertThat(reasons()).containsExactly("reason 2");
        assertThat(told()).isEmpty();
    }

    @Test
    void aFolderThatIsNoneIsToldAndTheOperatorGoesOn() throws IOException {
        Files.createDirectories(folder().getParent());
        Files.writeString(folder(), "");
        RecordWriter writer = start();
        record(1);
        platform.runFor(Duration.ofMinutes(1));
        end(writer);
        assertThat(told()).hasSize(1);
        assertThat(told().getFirst()).contains(folder().toString(), "is a file, not a folder");
    }

    @Test
    void withoutMemoryNothingIsWritten() {
        settings.recorder().memory(0).folder(folder().toString());
        recorder.settle(settings.recorder());
        assertThat(RecordWriter.start(platform, recorder, settings.recorder())).isNull();
        assertThat(told().getFirst()).contains("recorder.folder", "recorder.memory is 0");
    }
}
