package dev.kopf4j.devcluster.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.conformance.VirtualTime;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server over a folder, which ends in all sorts of ways, and the next one over the same folder. */
class JournalRecoveryTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"examples.kopf.dev"},
             "spec":{"group":"kopf.dev","scope":"Namespaced","names":{"plural":"examples","kind":"Example"},
              "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
               {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""";
    private static final String CUSTOM = "/apis/kopf.dev/v1/namespaces/default/examples";

    @TempDir
    private Path folder;

    private final VirtualTime time = new VirtualTime();

    private ApiServer server(Path data) {
        Options options = Options.defaults().data(data).clock(time).random(new Random(1));
        ApiServer server = new ApiServer(options, time, "token");
        time.settle();
        return server;
    }

    private JsonNode ask(ApiServer server, String method, String path, String body) {
        Map<String, String> headers = method.equals("PATCH")
                ? Map.of("content-type", "application/merge-patch+json")
                : Map.of("content-type", "application/json");
        ApiResponse response =
                server.handle(ApiRequest.of(method, path, headers, body.getBytes(StandardCharsets.UTF_8)));
        time.settle();
        return Json.parse(text(response));
    }

    private static String text(ApiResponse response) {
        StringBuilder text = new StringBuilder();
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> text.append(new String(bytes, StandardCharsets.UTF_8));
            case ApiResponse.Pieces(Iterable<byte[]> pieces) ->
                pieces.forEach(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
            default -> throw new AssertionError("a watch");
        }
        return text.toString();
    }

    private JsonNode create(ApiServer server, String name) {
        return ask(server, "POST", MAPS, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"b\"}}");
    }

    private List<String> names(ApiServer server) {
        return ask(server, "GET", MAPS, "")
                .path("items")
                .valueStream()
                .map(item -> Json.string(item, "metadata", "name"))
                .toList();
    }

    /** As a process leaves it that was killed: files without any farewell. */
    private Path killed() throws IOException {
        Path copy = folder.resolve("copy");
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(folder.resolve("data"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copy;
    }

    private static Path only(Path data, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.filter(file -> file.getFileName().toString().matches(prefix + "-[0-9]+"))
                    .reduce((first, second) -> {
                        throw new AssertionError("two: " + first + ", " + second);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void keepsOnWritingAfterAThreadWasInterruptedInTheMiddle() {
        ApiServer server = server(folder);
        create(server, "before");
        Thread.currentThread().interrupt();
        try {
            create(server, "interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        create(server, "after");
        server.close();

        assertThat(names(server(folder))).containsExactly("after", "before", "interrupted");
    }

    @Test
    void restoresAndMakesSnapshotsDurableOnAThreadThatWasInterrupted() throws IOException {
        ApiServer server = server(folder.resolve("data"));
        create(server, "kept");
        Path torn = killed();
        Files.write(only(torn, "journal"), new byte[] {0, 0, 0, 9, 1}, StandardOpenOption.APPEND);
        Thread.currentThread().interrupt();
        try (ApiServer next = server(torn);
                DataFolder own = DataFolder.open(folder.resolve("own"))) {
            own.force();
            assertThat(names(next)).containsExactly("kept");
            assertThat(create(next, "next").path("kind").asString()).isEqualTo("ConfigMap");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void continuesAfterAStopWithTheSameObjectsAndVersions() {
        Path data = folder.resolve("data");
        JsonNode before;
        try (ApiServer server = server(data)) {
            create(server, "gone");
            create(server, "kept");
            ask(server, "DELETE", MAPS + "/gone", "");
            before = ask(server, "GET", MAPS, "");
        }
        try (ApiServer server = server(data)) {
            assertThat(ask(server, "GET", MAPS, "")).isEqualTo(before);
            assertThat(server.damage()).isEmpty();
            JsonNode next = create(server, "next");
            assertThat(Long.parseLong(Json.string(next, "metadata", "resourceVersion")))
                    .isGreaterThan(Long.parseLong(Json.string(before, "metadata", "resourceVersion")));
        }
    }

    @Test
    void continuesAfterAKill() throws IOException {
        try (ApiServer server = server(folder.resolve("data"))) {
            create(server, "a");
            ask(server, "PATCH", MAPS + "/a", "{\"data\":{\"a\":\"c\"}}");
            JsonNode before = ask(server, "GET", MAPS, "");
            try (ApiServer next = server(killed())) {
                assertThat(ask(next, "GET", MAPS, "")).isEqualTo(before);
            }
        }
    }

    @Test
    void servesCustomKindsFromTheFirstMomentOn() {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
            ask(
                    server,
                    "POST",
                    CUSTOM,
                    "{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"Example\",\"metadata\":{\"name\":\"one\"},\"spec\":{\"size\":1}}");
        }
        try (ApiServer server =
                new ApiServer(Options.defaults().data(data).clock(time).random(new Random(2)), time, "token")) {
            assertThat(ask(server, "GET", CUSTOM + "/one", "")
                            .path("spec")
                            .path("size")
                            .intValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void goesOnWithAWatchFromAVersionBeforeTheStop() {
        Path data = folder.resolve("data");
        String version;
        try (ApiServer server = server(data)) {
            version = Json.string(create(server, "a"), "metadata", "resourceVersion");
            create(server, "b");
        }
        try (ApiServer server = server(data)) {
            ApiResponse watch = server.handle(
                    ApiRequest.of("GET", MAPS + "?watch=true&resourceVersion=" + version, Map.of(), new byte[0]));
            assertThat(watch.body()).isInstanceOfSatisfying(ApiResponse.Events.class, events -> {
                String lines = new String(events.stream().take().orElseThrow(), StandardCharsets.UTF_8);
                assertThat(lines).contains("\"type\":\"ADDED\"", "\"name\":\"b\"");
                events.stream().close();
            });
        }
    }

    @Test
    void finishesADeletionThatTheStopInterrupted() {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            ask(server, "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"closing\"}}");
            ask(server, "POST", "/api/v1/namespaces/closing/configmaps", "{\"metadata\":{\"name\":\"a\"}}");
            // Answered, but nothing runs any more that would act upon it.
            server.handle(ApiRequest.of("DELETE", "/api/v1/namespaces/closing", Map.of(), new byte[0]));
        }
        VirtualTime other = new VirtualTime();
        try (ApiServer server = new ApiServer(Options.defaults().data(data).clock(other), other, "token")) {
            other.settle();
            ApiResponse response =
                    server.handle(ApiRequest.of("GET", "/api/v1/namespaces/closing", Map.of(), new byte[0]));
            assertThat(response.status()).isEqualTo(404);
        }
    }

    @Test
    void recoversUpToTheLastWholeRecordOfAJournalThatWasCutOff() throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
            create(server, "b");
        }
        Path journal = only(data, "journal");
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.setLength(file.length() - 3);
        }
        try (ApiServer server = server(data)) {
            assertThat(names(server)).containsExactly("a");
            assertThat(server.damage()).contains(journal.toString(), "cut off", "kept as");
            create(server, "c");
        }
        try (ApiServer server = server(data)) {
            assertThat(names(server)).containsExactly("a", "c");
            assertThat(server.damage()).isEmpty();
        }
    }

    @Test
    void recoversUpToTheLastWholeRecordBeforeAFlippedBit() throws IOException {
        Path data = folder.resolve("data");
        long start;
        try (ApiServer server = server(data)) {
            create(server, "a");
            start = Files.size(only(data, "journal"));
            create(server, "b");
            create(server, "c");
        }
        Path journal = only(data, "journal");
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.seek(start + 40);
            int value = file.read();
            file.seek(start + 40);
            file.write(value ^ 1);
        }
        try (ApiServer server = server(data)) {
            assertThat(names(server)).containsExactly("a");
            assertThat(server.damage()).contains("at byte " + start, "checksum");
        }
        assertThat(data.resolve(journal.getFileName() + ".damaged")).exists();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aJournalThatWasOnlyBegunIsNoDamage(int length) throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
        }
        byte[] begun = Arrays.copyOf(Files.readAllBytes(only(data, "journal")), length);
        Files.write(data.resolve("journal-0999999999999999999"), begun);
        try (ApiServer server = server(data)) {
            assertThat(server.damage()).isEmpty();
            assertThat(names(server)).containsExactly("a");
            create(server, "b");
        }
        try (ApiServer server = server(data)) {
            assertThat(server.damage()).isEmpty();
            assertThat(names(server)).containsExactly("a", "b");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aJournalThatHasOthersBehindItWasMoreThanBegun(int length) throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
        }
        Path later = only(data, "journal");
        Path lost = data.resolve("journal-0000000000000000001");
        Files.write(lost, Arrays.copyOf(Files.readAllBytes(later), length));
        try (ApiServer server = server(data)) {
            assertThat(server.damage()).contains(lost.toString(), "does not begin as one of ours", later + ".damaged");
            assertThat(names(server)).isEmpty();
        }
    }

    /** A roll-back of the dev cluster must not lose what the newer version has written, nor begin an empty cluster. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesWhatANewerVersionHasWrittenAndLeavesItAsItIs(boolean otherFormat) throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
        }
        Path journal = only(data, "journal");
        if (otherFormat) {
            try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
                file.seek(7);
                file.write('2');
            }
            // Damaged, and before it: cutting it would be a change, too.
            Files.writeString(data.resolve("journal-0000000000000000001"), "kdcjrnl1 nonsense");
        } else {
            Files.write(journal, unknownRecord(), StandardOpenOption.APPEND);
            try (ApiServer later = server(folder.resolve("later"))) {
                create(later, "b");
            }
            byte[] more = Files.readAllBytes(only(folder.resolve("later"), "journal"));
            Files.write(journal, Arrays.copyOfRange(more, 8, more.length), StandardOpenOption.APPEND);
        }
        Map<String, String> before = contents(data);
        assertThatThrownBy(() -> server(data))
                .hasMessageContaining(journal.toString())
                .hasMessageContaining(otherFormat ? "has format 2, and this version reads 1" : "the unknown kind 120")
                .hasMessageContaining("written by a newer kopf4j");
        assertThat(contents(data)).isEqualTo(before);
    }

    /** Each later version reads what this one writes: whatever comes later is a kind or a format of its own. */
    @Test
    void readsWhatTheFirstVersionHasWritten() throws IOException {
        byte[] snapshot = Base64.getMimeDecoder().decode("""
                a2RjanJubDEAAABYDKuqpXAABG1hcHMAAAAAAAAAAgAHZGVmYXVsdAABYQABMQAAAAAAADMibmFtZSI6ImEiLCJuYW1lc3BhY2Ui
                OiJkZWZhdWx0In0sImRhdGEiOnsiayI6InYifX0AAAARgzW+JWUAAAAAAAAAAgAAAAAAAAAB""");
        byte[] journal = Base64.getMimeDecoder().decode("""
                a2RjanJubDEAAABs+RBO2HAABG1hcHMAAAAAAAAAAwAHZGVmYXVsdAABYgABMgMAAnYxAAEAATH////EAAAAISJuYW1lIjoiYiIs
                Im5hbWVzcGFjZSI6ImRlZmF1bHQiLCJ1aWQiOiIyIn0sInNwZWMiOnsiw6kiOjF9fQAAACoTxFR1cAAEbWFwcwAAAAAAAAAEAAAA
                AWMAATMAAAAAAAAMIm5hbWUiOiJjIn19AAAAFPmP1/RyAARtYXBzAAAAAAAAAAUAAAABYwAAACxXmRZRcAAGb3RoZXJzAAAAAAAA
                AAYAAAABZAABNAAAAAAAAAwibmFtZSI6ImQifX0AAAARKxJvJmQABm90aGVycwAAAAAAAAAG""");
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.write(data.resolve("snapshot-0000000000000000002"), snapshot);
        Files.write(data.resolve("journal-0000000000000000002"), journal);
        ObjectStore objectStore = new ObjectStore(100, 0);
        try (DataFolder own = DataFolder.open(data);
                Journal restored = Journal.restore(own, objectStore, new HeldTasks())) {
            assertThat(restored.damage()).isEmpty();
            assertThat(objectStore.version()).isEqualTo(6);
            assertThat(objectStore.list(objectStore.bucket("maps"), "").objects())
                    .extracting(object -> new String(object.bytes(), UTF_8) + " of " + object.owners()
                            + object.schemaVersion() + object.deleting())
                    .containsExactly("""
                            {"metadata":{"resourceVersion":"2","name":"a","namespace":"default"},"data":{"k":"v"}}\
                             of []false""", """
                            {"metadata":{"name":"b","namespace":"default","resourceVersion":"3","uid":"2"},"spec":{"é":1}}\
                             of [1]v1true""");
        }
        Path again = folder.resolve("again");
        try (JournalReader reader = new JournalReader(data.resolve("journal-0000000000000000002"), false);
                JournalWriter writer = new JournalWriter(again)) {
            for (Optional<JournalEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
                writer.append(next.get());
            }
        }
        assertThat(again).hasBinaryContent(journal);
    }

    @Test
    void refusesASnapshotOfANewerVersionWithoutAdvisingToDeleteIt() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path snapshot = data.resolve("snapshot-0000000000000000300");
        Files.writeString(snapshot, "kdcjrnl2 whatever that is");
        assertThatThrownBy(() -> server(data))
                .hasMessageContaining(snapshot + " has format 2")
                .message()
                .doesNotContain("delete");
        Files.write(snapshot, "kdcjrnl1".getBytes(UTF_8));
        Files.write(snapshot, unknownRecord(), StandardOpenOption.APPEND);
        assertThatThrownBy(() -> server(data))
                .hasMessageContaining("an intact record at byte 8")
                .message()
                .doesNotContain("delete");
    }

    /** A record of the kind {@code x}, with the right checksum. */
    private static byte[] unknownRecord() {
        byte[] content = {'x', 1, 2, 3};
        return ByteBuffer.allocate(JournalReader.HEAD + content.length)
                .putInt(content.length)
                .putInt(JournalReader.checksum(content))
                .put(content)
                .array();
    }

    private static Map<String, String> contents(Path data) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file, ISO_8859_1));
            }
        }
        return contents;
    }

    /** It may be all that is left of a cluster. */
    @Test
    void whatWasPutAsideIsNeverOverwritten() throws IOException {
        Path data = folder.resolve("data");
        for (int times = 1; times <= 3; times++) {
            try (ApiServer server = server(data)) {
                create(server, "map-" + times);
            }
            Path journal = data.resolve("journal-0000000000000000001");
            Files.writeString(journal, "kdcjrnl1 nonsense " + times);
            try (ApiServer server = server(data)) {
                assertThat(server.damage()).contains(journal + ".damaged" + (times == 1 ? "" : "." + times));
            }
            Files.delete(journal);
        }
        Map<String, String> kept = contents(data);
        assertThat(kept)
                .containsEntry("journal-0000000000000000001.damaged", "kdcjrnl1 nonsense 1")
                .containsEntry("journal-0000000000000000001.damaged.2", "kdcjrnl1 nonsense 2")
                .containsEntry("journal-0000000000000000001.damaged.3", "kdcjrnl1 nonsense 3");
    }

    @Test
    void tellsWhichJournalsAreNotUsedBecauseOneBeforeThemIsDamaged() throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
            create(server, "b");
        }
        Path journal = only(data, "journal");
        Path later = data.resolve("journal-0999999999999999999");
        Files.copy(journal, later);
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.setLength(file.length() - 3);
        }
        try (ApiServer server = server(data)) {
            assertThat(names(server)).containsExactly("a");
            assertThat(server.damage()).contains("not used, and was kept as " + later + ".damaged");
        }
        assertThat(later.resolveSibling(later.getFileName() + ".damaged")).exists();
    }

    /** Tasks that run when a test says so, or never. */
    private static final class HeldTasks implements TaskScheduler {
        private final Deque<Runnable> given = new ArrayDeque<>();

        @Override
        public void run(Runnable task) {
            given.add(task);
        }

        @Override
        public Timer later(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    private static void put(ObjectStore objectStore, String name, int size) {
        ObjectNode tree = Json.object();
        tree.putObject("metadata").put("name", name).put("namespace", "default");
        tree.put("text", "x".repeat(size));
        objectStore.create(objectStore.bucket("maps"), StoredObject.of(tree));
    }

    private static List<String> stored(Path data) {
        ObjectStore objectStore = new ObjectStore(100, 0);
        try (DataFolder own = DataFolder.open(data);
                Journal journal = Journal.restore(own, objectStore, new HeldTasks())) {
            assertThat(journal.damage()).isEmpty();
            return objectStore.list(objectStore.bucket("maps"), "").objects().stream()
                    .map(StoredObject::name)
                    .toList();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void goesOnWithTheFormerJournalWhileTheDiskIsFull() throws IOException {
        HeldTasks tasks = new HeldTasks();
        ObjectStore objectStore = new ObjectStore(100, 0);
        try (DataFolder own = DataFolder.open(folder);
                Journal _ = Journal.restore(own, objectStore, tasks)) {
            put(objectStore, "a", 5 << 20);
            Path next = own.journal(objectStore.version());
            Files.createSymbolicLink(next, Path.of("/dev/full"));
            tasks.given.remove().run();
            assertThat(Files.exists(next, LinkOption.NOFOLLOW_LINKS)).isFalse();
            put(objectStore, "b", 1);
            assertThat(tasks.given)
                    .as("no other compaction before the journal has grown")
                    .isEmpty();
        }
        assertThat(stored(folder)).containsExactly("a", "b");
    }

    @Test
    void keepsBothJournalsIfASnapshotIsNotBegunBeforeTheEnd() throws IOException {
        HeldTasks tasks = new HeldTasks();
        ObjectStore objectStore = new ObjectStore(100, 0);
        try (DataFolder own = DataFolder.open(folder);
                Journal _ = Journal.restore(own, objectStore, tasks)) {
            put(objectStore, "a", 5 << 20);
            tasks.given.remove().run();
            put(objectStore, "b", 1);
        }
        assertThat(stored(folder)).containsExactly("a", "b");
        tasks.given.remove().run();
        assertThat(stored(folder)).containsExactly("a", "b");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("journal")))
                    .hasSize(2);
        }
    }

    @Test
    void theEndWaitsForASnapshotThatIsBeingWritten() throws Exception {
        HeldTasks tasks = new HeldTasks();
        ObjectStore objectStore = new ObjectStore(100, 0);
        Path made = folder.resolve("snapshot.new");
        Thread writing;
        try (DataFolder own = DataFolder.open(folder);
                Journal _ = Journal.restore(own, objectStore, tasks)) {
            for (int count = 0; count < 10; count++) {
                put(objectStore, "big-" + count, 2 << 20);
            }
            tasks.given.remove().run();
            writing = Thread.ofPlatform().start(tasks.given.remove());
            while (!Files.exists(made) && writing.isAlive()) {
                Thread.onSpinWait();
            }
        }
        assertThat(made).doesNotExist();
        assertThat(only(folder, "snapshot")).isNotEmptyFile();
        assertThat(only(folder, "journal")).isNotEmptyFile();
        writing.join();
        assertThat(stored(folder)).hasSize(10);
    }

    /** Each length that a kill in the middle of a write could leave gives some moment of the past, never an error. */
    @Test
    void recoversFromEveryLengthOfTheJournal() throws IOException {
        Path data = folder.resolve("data");
        try (ApiServer server = server(data)) {
            create(server, "a");
            create(server, "b");
        }
        Path journal = only(data, "journal");
        byte[] whole = Files.readAllBytes(journal);
        List<Integer> counts = new ArrayList<>();
        for (int length = 8; length <= whole.length; length += 61) {
            Path copy = Files.createDirectories(folder.resolve("cut-" + length));
            Files.write(copy.resolve(journal.getFileName()), Arrays.copyOf(whole, length));
            try (ApiServer server = server(copy)) {
                counts.add(names(server).size());
            }
        }
        assertThat(counts).isSorted().contains(0, 1);
    }

    @Test
    void replacesALongJournalByASnapshot() throws IOException {
        Path data = folder.resolve("data");
        String big = "x".repeat(100_000);
        JsonNode before;
        try (ApiServer server = server(data)) {
            create(server, "a");
            for (int count = 0; count < 60; count++) {
                ask(server, "PATCH", MAPS + "/a", "{\"data\":{\"a\":\"" + big + count + "\"}}");
            }
            time.advance(Duration.ofSeconds(5));
            assertThat(Files.size(only(data, "journal"))).isLessThan(4 << 20);
            assertThat(only(data, "snapshot")).isNotEmptyFile();
            before = ask(server, "GET", MAPS, "");
        }
        try (ApiServer server = server(data)) {
            assertThat(ask(server, "GET", MAPS, "")).isEqualTo(before);
        }
    }

    @Test
    void refusesADamagedSnapshotWithAWayOut() throws IOException {
        Path data = folder.resolve("data");
        Files.createDirectories(data);
        Files.writeString(data.resolve("snapshot-0000000000000000300"), "kdcjrnl1 nonsense");
        assertThatThrownBy(() -> server(data))
                .hasMessageContaining("snapshot-0000000000000000300 is damaged at byte 8")
                .hasMessageContaining("delete the folder");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void onlyTheOwnerReadsTheFilesInAFolderThatWasThere() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ApiServer server = server(data)) {
            create(server, "a");
            server.save(data.resolve("saved"));
        }
        assertThat(readable(data)).isEmpty();
        Path journal = only(data, "journal");
        Files.write(journal, new byte[] {0, 0, 0, 9, 1}, StandardOpenOption.APPEND);
        Path unfinished = Files.createFile(data.resolve("snapshot.new"));
        for (Path file : List.of(journal, unfinished)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        try (ApiServer server = server(data)) {
            assertThat(server.damage()).contains("kept as " + journal + ".damaged");
            assertThat(readable(data)).isEmpty();
            assertThat(unfinished).doesNotExist();
        }
    }

    /** It would fill the disk on which there was no room for it. */
    @Test
    void aSnapshotThatCannotBeWrittenIsDeleted() throws IOException {
        HeldTasks tasks = new HeldTasks();
        ObjectStore objectStore = new ObjectStore(100, 0);
        try (DataFolder own = DataFolder.open(folder);
                Journal _ = Journal.restore(own, objectStore, tasks)) {
            put(objectStore, "a", 5 << 20);
            tasks.given.remove().run();
            Path inTheWay = Files.createDirectory(own.snapshot(objectStore.version()));
            Files.createFile(inTheWay.resolve("file"));
            tasks.given.remove().run();
            assertThat(folder.resolve("snapshot.new")).doesNotExist();
            assertThat(own.journals()).as("go on").hasSize(2);
        }
    }

    /** The files with anything in them that others than their owner may read. */
    private static List<String> readable(Path data) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.filter(each -> !each.endsWith("lock")).toList()) {
                if (!Files.getPosixFilePermissions(file).equals(PosixFilePermissions.fromString("rw-------"))) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        return found;
    }

    @Test
    void refusesAFolderThatIsInUse() {
        Path data = folder.resolve("data");
        try (ApiServer _ = server(data)) {
            assertThatThrownBy(() -> server(data)).hasMessageContaining("another dev cluster is using it");
        }
    }
}
