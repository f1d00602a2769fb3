package dev.kopf4j.cli.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.kopf4j.text.KubernetesTimestamps;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.KeyValuePair;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One JSON object per line: {@code message}, {@code timestamp}, {@code severity}, {@code logger}, the object that the
 * line is about, {@code exc_info} for a stack trace, and all other values that were attached to the event. Thread-safe.
 */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    private final JsonMapper mapper = JsonMapper.builder().build();
    private final boolean prefix;
    private final String objectKey;

    JsonLayout(boolean prefix, String objectKey) {
        this.prefix = prefix;
        this.objectKey = objectKey;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        return write(fields(event)) + "\n";
    }

    private Map<String, Object> fields(ILoggingEvent event) {
        var fields = new LinkedHashMap<String, Object>();
        String start = prefix ? LoggedObject.prefix(event) : "";
        fields.put("message", start + event.getFormattedMessage());
        fields.put("timestamp", KubernetesTimestamps.format(event.getInstant()));
        fields.put("severity", severity(event.getLevel()));
        fields.put("logger", event.getLoggerName());
        for (KeyValuePair pair : LoggedObject.pairs(event)) {
            fields.putIfAbsent(pair.key.equals(LoggedObject.KEY) ? objectKey : pair.key, pair.value);
        }
        // The object and the handler of the current call, in lines of the handler's own loggers.
        event.getMDCPropertyMap().forEach((key, value) -> {
            boolean isObject = key.equals(LoggedObject.KEY);
            fields.putIfAbsent(
                    isObject ? objectKey : key, isObject && value != null ? LoggedObject.named(value) : value);
        });
        if (event.getThrowableProxy() != null) {
            fields.put("exc_info", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return fields;
    }

    private String write(Map<String, Object> fields) {
        try {
            return mapper.writeValueAsString(fields);
        } catch (JacksonException e) {
            // Somebody attached a value that JSON cannot express: the line matters more than the value's form.
            var texts = new LinkedHashMap<String, String>();
            fields.forEach((key, value) -> texts.put(key, String.valueOf(value)));
            return mapper.writeValueAsString(texts);
        }
    }

    private static String severity(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> "error";
            case Level.WARN_INT -> "warn";
            case Level.INFO_INT -> "info";
            default -> "debug";
        };
    }
}
