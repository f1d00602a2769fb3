package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import dev.kopf4j.object.ObjectReference;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Posts what is logged about objects, if the settings say so.
 *
 * @param settings whether log messages are posted, and from which level on
 * @param sink where it is posted, if events are posted at all
 */
public record LogPosting(OperatorSettings.Posting settings, EventSink sink) implements ObjectLogListener {
    @Override
    public boolean isInterestedIn(Level level) {
        return settings.loggers() && level.toInt() >= settings.level().toInt();
    }

    @Override
    public void logged(ObjectReference object, Level level, String message, @Nullable Throwable throwable) {
        String text = throwable == null ? message : message + "\n" + trace(throwable);
        sink.post(new ObjectEvent(object, level, type(level), "Logging", text));
    }

    private static String type(Level level) {
        return switch (level) {
            case TRACE, DEBUG -> "Debug";
            case INFO -> "Normal";
            case WARN -> "Warning";
            case ERROR -> "Error";
        };
    }

    private static String trace(Throwable throwable) {
        StringWriter text = new StringWriter();
        throwable.printStackTrace(new PrintWriter(text, true));
        return text.toString().stripTrailing();
    }
}
