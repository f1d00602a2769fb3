package dev.kopf4j.persistence.diffbase;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Packs the essences of large objects into less text: {@code {"kopf4j-gzip":"<base64>"}}. That is still a JSON object:
 * an operator that does not know the form takes it for another state, not for garbage. Pure.
 */
final class CompressedEssence {
    private static final String KEY = "kopf4j-gzip";
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    private CompressedEssence() {}

    static ObjectNode pack(ObjectNode essence) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(Json.bytes(essence));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory has failed", e);
        }
        return Json.object().put(KEY, Base64.getEncoder().encodeToString(packed.toByteArray()));
    }

    static boolean isPacked(ObjectNode stored) {
        return stored.size() == 1 && stored.path(KEY).isString();
    }

    /**
     * The essence.
     *
     * @throws JsonConversionException if it cannot be unpacked
     */
    static JsonNode unpack(ObjectNode stored) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(
                Base64.getDecoder().decode(stored.path(KEY).stringValue().getBytes(US_ASCII))))) {
            byte[] text = gzip.readNBytes(BYTES_MAX + 1);
            if (text.length > BYTES_MAX) {
                throw new JsonConversionException("more than " + BYTES_MAX + " bytes are packed in it", null);
            }
            return Json.parse(text);
        } catch (IOException | IllegalArgumentException e) {
            throw new JsonConversionException("it cannot be unpacked: " + e.getMessage(), e);
        }
    }
}
