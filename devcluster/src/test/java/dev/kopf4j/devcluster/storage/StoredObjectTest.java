package dev.kopf4j.devcluster.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Objects as they are kept on disk. */
class StoredObjectTest {
    private static final String TREE = "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\"},\"spec\":{\"size\":1}}";
    private static final String DELETING =
            "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"}}";

    private static byte[] written(StoredObject object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        object.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static StoredObject read(byte[] bytes) throws IOException {
        return StoredObject.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = TREE + "|v1beta1\n" + TREE + "|``\n" + DELETING + "|v1\n")
    void readsWhatItHasWritten(String json, String schemaVersion) throws IOException {
        StoredObject object = StoredObject.sorted((ObjectNode) Json.parse(json), schemaVersion);
        StoredObject again = read(written(object));
        assertThat(again.tree()).isEqualTo(object.tree());
        assertThat(again.schemaVersion()).isEqualTo(schemaVersion);
        assertThat(again.deleting()).isEqualTo(object.deleting());
    }

    @Test
    void readsWhatWasWrittenBeforeThereWereSchemaVersions() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(7);
        for (String text : new String[] {"", "a", "u"}) {
            out.writeUTF(text);
        }
        out.writeBoolean(true);
        out.writeShort(0);
        out.writeInt(2);
        out.writeBytes("}}");
        StoredObject object = read(bytes.toByteArray());
        assertThat(object.deleting()).isTrue();
        assertThat(object.schemaVersion()).isEmpty();
        assertThat(object.name()).isEqualTo("a");
    }
}
