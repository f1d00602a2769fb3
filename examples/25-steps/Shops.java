import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shops, each with a database, its users, a name and a certificate, of providers outside of the cluster. */
class Shops {
    @CustomResource(group = "kopf.dev", version = "v1")
    record Shop(ShopSpec spec, @Nullable ShopStatus status) {}

    record ShopSpec(@Schema(defaultValue = "[]") List<@Schema(pattern = "^[a-z][a-z0-9]*$") String> users) {}

    record ShopStatus(@PrinterColumn @Nullable String database, @PrinterColumn @Nullable String certificate) {}

    /** Runs from the top as often as it takes: what is recorded is not made again. */
    @OnCreate(backoff = "10s")
    void provide(Shop shop, String name, Steps steps, Memo memo, Patch patch) throws Exception {
        Provider provider = provider(memo);
        // The provider makes one database for a key, however often it is asked. If nobody knows whether it has, it is
        // looked for: the shop may be deleted before it is asked again.
        String database = steps.step("database", String.class)
                .undoable()
                .recover(() -> provider.findDatabase(steps.idempotencyKey()))
                .run(() -> provider.createDatabase(steps.idempotencyKey()));
        // Users need no search: they go with their database.
        for (String user : shop.spec().users()) {
            steps.step("user").key(user).undoable().run(() -> provider.grant(database, user));
        }
        // An order cannot be repeated. The key tells it from the one of another run.
        Steps.Step<String> certificate = steps.step("certificate", String.class)
                .undoable()
                .recover(() -> provider.findCertificate(steps.idempotencyKey()))
                .call(() -> provider.orderCertificate(steps.idempotencyKey()));
        Steps.Step<String> address = steps.step("dns", String.class)
                .undoable()
                .recover(() -> provider.findAddress(name))
                .retries(5)
                .call(() -> provider.publish(name));
        steps.all(certificate, address);
        patch.status().set("database", database).set("certificate", certificate.result());
    }

    /**
     * In reverse order, as far as it was made, also if the creation has never come to its end. Within a search, the key
     * is that of the call whose end nobody knows.
     */
    @OnDelete(backoff = "10s")
    void takeBack(Shop shop, String name, Steps steps, Memo memo) throws Exception {
        Provider provider = provider(memo);
        steps.undo(undo -> undo.step("database", String.class, provider::delete)
                .recover("database", String.class, key -> provider.findDatabase(steps.idempotencyKey()))
                .step("user", String.class, provider::delete)
                .step("certificate", String.class, provider::delete)
                .recover("certificate", String.class, key -> provider.findCertificate(steps.idempotencyKey()))
                .step("dns", String.class, provider::delete)
                .recover("dns", String.class, key -> provider.findAddress(name)));
    }

    private static Provider provider(Memo memo) {
        return new Provider(memo.get("folder", Path.class) // tests bring their own
                .orElse(Path.of(System.getProperty("java.io.tmpdir"), "kopf4j-shops")));
    }

    /** Stands for the APIs of providers: a folder with a file for each thing. Put HTTP clients in its place. */
    record Provider(Path folder) {
        String createDatabase(String key) throws IOException {
            return created("database-" + key);
        }

        Optional<String> findDatabase(String key) throws IOException {
            return things().stream().filter(("database-" + key)::equals).findFirst();
        }

        String grant(String database, String user) throws IOException {
            return created("user-" + user + "-of-" + database);
        }

        String publish(String name) throws IOException {
            return created("dns-" + name);
        }

        Optional<String> findAddress(String name) throws IOException {
            return things().stream().filter(("dns-" + name)::equals).findFirst();
        }

        /** Each call makes another one. */
        String orderCertificate(String key) throws IOException {
            return created("certificate-" + key + "-" + things().size());
        }

        Optional<String> findCertificate(String key) throws IOException {
            return things().stream()
                    .filter(thing -> thing.startsWith("certificate-" + key + "-"))
                    .findFirst();
        }

        /** A database takes its users along. */
        void delete(String id) throws IOException {
            for (String thing : things()) {
                if (thing.equals(id) || thing.endsWith("-of-" + id)) {
                    Files.deleteIfExists(folder.resolve(thing));
                }
            }
        }

        private List<String> things() throws IOException {
            try (Stream<Path> files = Files.list(Files.createDirectories(folder))) {
                return files.map(file -> file.getFileName().toString()).toList();
            }
        }

        private String created(String id) throws IOException {
            Files.writeString(Files.createDirectories(folder).resolve(id), id);
            return id;
        }
    }
}
